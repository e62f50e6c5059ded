/** Mistakes of the kinds that such systems have had, each in one place of one source. The simulation has to find them all. */

export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly from: string;
  readonly to: string;
}

const SIMULATED = 'libs/simulation/src/servers';
const PROCESSOR = 'libs/engine/src/processor';

export const BUGS: readonly PlantedBug[] = [
  {
    name: 'the guard does not look at the epoch',
    file: `${SIMULATED}/tables.ts`,
    from: 'const row = this.#held(move.partition, move.epoch);\n      if (row?.incarnation',
    to: 'const row = this.partitionRows[move.partition];\n      if (row?.incarnation',
  },
  {
    name: 'what a commit sets off goes out before it',
    file: `${PROCESSOR}/commit-pipeline.ts`,
    from: 'const begin = clock.monotonic();',
    to: 'const begin = clock.monotonic();\n    this.#options.committed(parts);',
  },
  {
    name: 'an unknown outcome is taken for a commit',
    file: `${PROCESSOR}/commit-pipeline.ts`,
    from: "if (outcome.kind === 'committed') this.#options.committed(parts);",
    to: "if (outcome.kind === 'committed' || outcome.kind === 'unknown') this.#options.committed(parts);",
  },
  {
    name: 'results are not looked up',
    file: `${PROCESSOR}/client-result.ts`,
    from: 'const known = turn.shared.recentResults.get(text) ?? turn.prepared.results.get(text);',
    to: 'const known = turn.shared.recentResults.get("none" + text);',
  },
  {
    name: 'a wake row is not updated',
    file: `${PROCESSOR}/batch.ts`,
    from: 'if (wake !== null) wakes.push(wake);',
    to: 'if (wake !== null && write.insert !== null) wakes.push(wake);',
  },
  {
    name: 'recovery skips what is ready',
    file: 'libs/engine/src/ownership/recovery.ts',
    from: 'const WAITED_FOR_OUTSIDE = /[woh]/g;',
    to: 'const WAITED_FOR_OUTSIDE = /[wohr]/g;',
  },
  {
    name: 'a deadline does not wait for the log',
    file: 'libs/engine/src/dispatch/timers.ts',
    from: 'if (tail !== null && partition.deliveredSeq >= tail) return true;',
    to: 'return true;',
  },
  {
    name: 'a claim of any generation is granted',
    file: 'libs/domain/src/processors/claim.ts',
    from: 'leaf.status.generation !== command.generation',
    to: 'false',
  },
  {
    name: 'a paused run grants',
    file: 'libs/domain/src/processors/claim.ts',
    from: 'run.paused !== null',
    to: 'false',
  },
  {
    name: 'a checkpoint loses the size of the history',
    file: 'libs/domain/src/checkpoint/decode.ts',
    from: 'historyBytes: stored.historyBytes',
    to: 'historyBytes: 0',
  },
  {
    name: 'what was done first is undone first',
    file: 'libs/domain/src/stopping-tree.ts',
    from: 'for (let index = work.obligations.length - 1; index >= 0; index--) {',
    to: 'for (let index = 0; index < work.obligations.length; index++) {',
  },
  {
    name: 'a running attempt is taken for settled when its saga aborts',
    file: 'libs/domain/src/transitions.ts',
    from: "return contractOf(run, leaf).effects === 'pure' ? { kind: 'withdraw', leaf } : null;",
    to: "return { kind: 'withdraw', leaf };",
  },
];
