/**
 * What is stored of a run, folded as it is committed: the state that all invariants speak of, made from events and from
 * nothing that the engine has in memory.
 */
import type { ActivationId, Run, RunEvent } from '@graphrun/domain';
import { contractOf, evolve, roleOf } from '@graphrun/domain';
import type { Program } from '@graphrun/dsl';
import { AttemptRules } from './attempts.js';
import { HoldRules } from './holds.js';
import { SagaRules } from './sagas.js';
import { Tree } from './tree.js';
import { violated } from './violation.js';

export class RunRecord {
  run: Run | null = null;
  readonly events: RunEvent[] = [];
  readonly #tree = new Tree();
  readonly attempts = new AttemptRules();
  readonly #rules = [this.attempts, new SagaRules(this.#tree), new HoldRules(this.#tree)];

  constructor(
    readonly id: string,
    readonly program: Program,
  ) {}

  add(event: RunEvent): void {
    sequenceHasNoGap(this, event);
    timeNeverRunsBack(this, event);
    nothingOpenIsCancelled(this, event);
    this.#tree.add(event.body);
    for (const rules of this.#rules)
      rules.check(event.body, `event ${event.seq} of run ${this.id} (${event.body.kind})`);
    this.events.push(event);
    this.run = evolve(this.run, event, this.program);
  }

  /** The activation is known, in the role that it has. */
  knows(activation: ActivationId): boolean {
    return (
      this.#tree.has(activation) || (roleOf(activation) !== 'forward' && this.run?.leaves.has(activation) === true)
    );
  }
}

/** Invariant 2. */
function sequenceHasNoGap(record: RunRecord, event: RunEvent): void {
  const expected = (record.run?.seq ?? 0) + 1;
  if (event.seq !== expected) violated('2 sequence', `event ${expected} of run ${record.id} is ${event.seq}`);
}

function timeNeverRunsBack(record: RunRecord, event: RunEvent): void {
  const before = record.events.at(-1)?.at ?? 0;
  if (event.at < before) violated('2 sequence', `time runs back at event ${event.seq} of run ${record.id}`);
}

const OPEN: ReadonlySet<string> = new Set(['claimed', 'reconciling', 'blocked']);

/** Invariant 5: an effect that may still happen, or has perhaps happened, is never taken for settled. */
function nothingOpenIsCancelled({ id, run }: RunRecord, { seq, body }: RunEvent): void {
  if (body.kind !== 'activity_cancelled' || roleOf(body.activation) !== 'forward' || run === null) return;
  const leaf = run.leaves.get(body.activation);
  if (leaf === undefined || !OPEN.has(leaf.status.kind) || contractOf(run, leaf).effects === 'pure') return;
  violated('5 settled first', `event ${seq} of run ${id} cancels ${body.activation}, which is ${leaf.status.kind}`);
}
