/** Collects results: writes each as a line of JSON when it is there, and a table of all of them at the end. */
import type { EmbeddedRound } from '../benchmarks/embedded.js';
import { cpuPerUnit, sumBreakdowns } from '../cpu/breakdown.js';
import type { CpuBreakdown } from '../cpu/breakdown.js';
import type { PgliteFloor } from '../floors/pglite.js';
import type { Rate } from '../load.js';
import type { Machine } from '../machine.js';
import { median, spreads } from '../statistics.js';
import type { Result } from './result.js';
import { jsonLine } from './result.js';
import { cpuTable, resultTable } from './table.js';

interface Round {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

export class Report {
  readonly #results: Result[] = [];
  #floors: Readonly<Record<string, number>> = {};
  /** The bare path, by benchmark and requests in flight. */
  readonly #bare = new Map<string, Result>();

  constructor(
    private readonly machine: Machine,
    private readonly repeats: number,
  ) {
    this.text(
      `${machine.cores} cores (${machine.cpu}), ${machine.memory_gib} GiB, ${machine.file_system}, Node.js ${machine.node}`,
    );
    this.text(
      `PostgreSQL ${machine.postgres} with fsync ${machine.fsync}, nats-server ${machine.nats} with streams on file`,
    );
  }

  async repeat<T>(round: () => Promise<T>): Promise<readonly T[]> {
    const rounds: T[] = [];
    for (let index = 0; index < this.repeats; index += 1) rounds.push(await round());
    return rounds;
  }

  async floors(measure: () => Promise<Readonly<Record<string, number>>>): Promise<void> {
    const rounds = await this.repeat(measure);
    const metrics = spreads(rounds);
    this.#floors = Object.fromEntries(Object.entries(metrics).map(([name, { median: value }]) => [name, value]));
    this.#add({ id: 'floors', variant: '', unit: '', metrics, cpu_ms: {}, machine_use: {}, floors: {}, ratios: {} });
    for (const [name, value] of Object.entries(this.#floors)) this.text(`floor: ${name} ${value.toPrecision(4)}`);
  }

  bare(id: string, inFlight: number, rounds: readonly Round[], unitsOfARound: number): void {
    const result = this.#measured(
      `${id} bare path`,
      `${inFlight} in flight`,
      'runs',
      rounds,
      unitsOfARound,
      this.#floors,
      {},
    );
    this.#bare.set(`${id} ${inFlight}`, result);
  }

  sequence(id: string, inFlight: number, rounds: readonly Round[], unitsOfARound: number): void {
    const rate = medianRate(rounds);
    const bare = this.#bare.get(`${id} ${inFlight}`);
    const bareRate = bare?.metrics['per_second']?.median;
    const commits = this.#floors['single_commits_per_s'];
    const floors = { ...this.#floors, ...(bareRate !== undefined && { bare_path_runs_per_s: bareRate }) };
    const cpuMs = sum(cpuPerUnit(sumBreakdowns(rounds.map(({ cpu }) => cpu)), unitsOfARound * rounds.length));
    this.#measured(id, `${inFlight} in flight`, 'runs', rounds, unitsOfARound, floors, {
      ...(bareRate !== undefined && { 'bare path': rate / bareRate }),
      ...(bare !== undefined && { 'bare path by CPU': sum(bare.cpu_ms) / cpuMs }),
      ...(commits !== undefined && { 'single commits': rate / commits }),
    });
  }

  starts(transport: string, inFlight: number, rounds: readonly Round[], unitsOfARound: number): void {
    const rate = medianRate(rounds);
    const rows = this.#floors['batched_rows_per_s'];
    const publishes = this.#floors['publishes_per_s'];
    this.#measured('B2', `${transport}, ${inFlight} in flight`, 'commands', rounds, unitsOfARound, this.#floors, {
      ...(rows !== undefined && { 'batched rows': rate / rows }),
      ...(publishes !== undefined && { publishes: rate / publishes }),
    });
  }

  embedded(inFlight: number, rounds: readonly EmbeddedRound[], floor: readonly PgliteFloor[]): void {
    const commits = median(floor.map(({ pglite_commits_per_s }) => pglite_commits_per_s));
    const rate = medianRate(rounds);
    const units = rounds[0]?.runs ?? 0;
    this.#measured(
      'B9',
      `${inFlight} in flight`,
      'runs',
      rounds,
      units,
      { pglite_commits_per_s: commits },
      { 'PGlite commits': rate / commits },
    );
    const metrics = spreads(
      rounds.map(({ emptyMs, killedMs, stoppedMs }) => ({
        start_empty_ms: emptyMs,
        start_after_kill_ms: killedMs,
        start_after_stop_ms: stoppedMs,
      })),
    );
    this.#add({
      id: 'B9',
      variant: 'start to ready',
      unit: '',
      metrics,
      cpu_ms: {},
      machine_use: {},
      floors: {},
      ratios: {},
    });
    for (const [name, { median: ms, min, max }] of Object.entries(metrics)) {
      this.text(`B9 ${name}: ${Math.round(ms)} (${Math.round(min)} to ${Math.round(max)})`);
    }
  }

  /** To people only. */
  text(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Warnings of the services, equal ones once. */
  warnings(lines: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const [line, count] of counts) this.text(`warning, ${count} times, of ${line}`);
  }

  /** The tables, at the end. */
  summarize(): void {
    const timed = this.#results.filter(({ unit }) => unit !== '');
    if (timed.length === 0) return;
    this.text(`\n${resultTable(timed)}\n\n${cpuTable(timed)}`);
  }

  #measured(
    id: string,
    variant: string,
    unit: string,
    rounds: readonly Round[],
    unitsOfARound: number,
    floors: Readonly<Record<string, number>>,
    ratios: Readonly<Record<string, number>>,
  ): Result {
    const cpu = sumBreakdowns(rounds.map((round) => round.cpu));
    const metrics = spreads(rounds.map(({ rate }) => rate));
    const cpu_ms = cpuPerUnit(cpu, unitsOfARound * rounds.length);
    return this.#add({ id, variant, unit, metrics, cpu_ms, machine_use: this.#use(cpu), floors, ratios });
  }

  #use({ seconds, processes, machine }: CpuBreakdown): Readonly<Record<string, number>> {
    const ours = Object.values(processes).reduce((sum, { user_s, system_s }) => sum + user_s + system_s, 0);
    const share = ours / (seconds * this.machine.cores);
    return {
      busy: machine.busy,
      others: Math.max(0, machine.busy - share),
      io_wait: machine.io_wait,
      steal: machine.steal,
    };
  }

  #add(result: Omit<Result, 'repeats' | 'machine' | 'cpu_bound_per_s'>): Result {
    const cpuMs = sum(result.cpu_ms);
    const full: Result = {
      ...result,
      repeats: this.repeats,
      cpu_bound_per_s: cpuMs === 0 ? 0 : (this.machine.cores * 1000) / cpuMs,
      machine: this.machine,
    };
    this.#results.push(full);
    process.stdout.write(`${jsonLine(full)}\n`);
    if (full.unit !== '') this.text(resultTable([full]).split('\n').at(-1) ?? '');
    return full;
  }
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}

function medianRate(rounds: readonly Round[]): number {
  return median(rounds.map(({ rate }) => rate.per_second));
}
