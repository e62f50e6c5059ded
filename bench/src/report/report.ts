/** Collects results: writes each as a line of JSON when it is there, and a table of all of them at the end. */
import type { CompileRound, Shape } from '../benchmarks/compile.js';
import type { EmbeddedRound } from '../benchmarks/embedded.js';
import type { History, ReplayRound } from '../benchmarks/replay.js';
import { cpuPerUnit, sumBreakdowns, writesPerUnit } from '../cpu/breakdown.js';
import type { CpuBreakdown } from '../cpu/breakdown.js';
import type { PgliteFloor } from '../floors/pglite.js';
import type { Rate } from '../load.js';
import type { Machine } from '../machine.js';
import { median, spreads } from '../statistics.js';
import { othersShare, undisturbed } from '../undisturbed.js';
import type { Result } from './result.js';
import { jsonLine } from './result.js';
import { partsTable, resultTable } from './table.js';

/** What the servers did for each unit, by name. */
type Traffic = Readonly<Record<string, number>>;

interface Round {
  readonly rate: Rate;
  readonly cpu: CpuBreakdown;
}

/** The repeats of one measurement. */
export interface Measured<R extends Round = Round> {
  readonly rounds: readonly R[];
  readonly unitsOfARound: number;
  readonly traffic: Traffic;
}

interface Heading {
  readonly id: string;
  readonly variant: string;
  readonly unit: string;
}

type Shares = Pick<Result, 'floors' | 'ratios'>;

const NOTHING = { cpu_ms: {}, writes: {}, machine_use: {}, traffic: {}, floors: {}, ratios: {} };

export class Report {
  readonly #results: Result[] = [];
  #floors: Readonly<Record<string, number>> = {};
  /** The bare path, by benchmark and requests in flight. */
  readonly #bare = new Map<string, Result>();

  constructor(
    private readonly machine: Machine,
    readonly repeats: number,
    private readonly undisturbed: boolean,
  ) {
    const { cores, cpu, memory_gib, file_system, node, postgres, fsync, nats } = machine;
    this.text(`${cores} cores (${cpu}), ${memory_gib} GiB, ${file_system}, Node.js ${node}`);
    if (postgres !== '')
      this.text(`PostgreSQL ${postgres} with fsync ${fsync}, nats-server ${nats} with streams on file`);
  }

  async repeat<T extends object>(round: () => Promise<T>): Promise<readonly T[]> {
    const rounds: T[] = [];
    for (let index = 0; index < this.repeats; index += 1) {
      rounds.push(this.undisturbed ? await undisturbed(round) : await round());
    }
    return rounds;
  }

  async floors(measure: () => Promise<Readonly<Record<string, number>>>): Promise<void> {
    const rounds = await this.repeat(async () => ({ floors: await measure() }));
    const metrics = spreads(rounds.map(({ floors }) => floors));
    this.#floors = Object.fromEntries(Object.entries(metrics).map(([name, { median: value }]) => [name, value]));
    this.#add({ id: 'floors', variant: '', unit: '', metrics, ...NOTHING });
    for (const [name, value] of Object.entries(this.#floors)) this.text(`floor: ${name} ${value.toPrecision(4)}`);
  }

  bare(id: string, inFlight: number, measured: Measured): void {
    const heading = { id: `${id} bare path`, variant: `${inFlight} in flight`, unit: 'runs' };
    this.#bare.set(`${id} ${inFlight}`, this.#measured(heading, measured, { floors: this.#floors, ratios: {} }));
  }

  sequence(id: string, inFlight: number, measured: Measured): void {
    const rate = medianRate(measured);
    const bare = this.#bare.get(`${id} ${inFlight}`);
    const bareRate = bare?.metrics['per_second']?.median;
    const commits = this.#floors['single_commits_per_s'];
    this.#measured({ id, variant: `${inFlight} in flight`, unit: 'runs' }, measured, {
      floors: { ...this.#floors, ...(bareRate !== undefined && { bare_path_runs_per_s: bareRate }) },
      ratios: {
        ...(bareRate !== undefined && { 'bare path': rate / bareRate }),
        ...(bare !== undefined && { 'bare path by CPU': sum(bare.cpu_ms) / sum(cpuEach(measured)) }),
        ...(commits !== undefined && { 'single commits': rate / commits }),
      },
    });
  }

  starts(transport: string, inFlight: number, measured: Measured): void {
    const rate = medianRate(measured);
    this.#measured({ id: 'B2', variant: `${transport}, ${inFlight} in flight`, unit: 'commands' }, measured, {
      floors: this.#floors,
      ratios: this.#besideRows(rate),
    });
  }

  #besideRows(rate: number): Readonly<Record<string, number>> {
    const rows = this.#floors['batched_rows_per_s'];
    const publishes = this.#floors['publishes_per_s'];
    return {
      ...(rows !== undefined && { 'batched rows': rate / rows }),
      ...(publishes !== undefined && { publishes: rate / publishes }),
    };
  }

  fanOut(inFlight: number, measured: Measured): void {
    const heading = { id: 'B3', variant: `${inFlight} runs in flight`, unit: 'items' };
    const ratios = this.#besideRows(medianRate(measured));
    this.#measured(heading, measured, { floors: this.#floors, ratios });
  }

  signals(inFlight: number, measured: Measured): void {
    const commits = this.#floors['single_commits_per_s'];
    const heading = { id: 'B4', variant: `signal to result, ${inFlight} in flight`, unit: 'runs' };
    this.#measured(heading, measured, {
      floors: this.#floors,
      ratios: { ...(commits !== undefined && { 'single commits': medianRate(measured) / commits }) },
    });
  }

  /** Bytes and counts, which do not depend on the machine. */
  sizes(id: string, variant: string, sizes: Readonly<Record<string, number>>): void {
    this.#add({ id, variant, unit: '', metrics: spreads([sizes]), ...NOTHING });
    for (const [name, value] of Object.entries(sizes)) this.text(`${id} ${name}: ${value.toPrecision(4)}`);
  }

  replays({ events, bytes }: Pick<History, 'events' | 'bytes'>, count: number, rounds: readonly ReplayRound[]): void {
    const replayMs = median(rounds.map(({ rate }) => rate.p50_ms));
    const jsonMs = median(rounds.map((round) => round.jsonMs));
    const measured = { rounds, unitsOfARound: count * events, traffic: {} };
    this.#measured({ id: 'B8', variant: `replay of ${events} events`, unit: 'events' }, measured, {
      floors: { history_bytes: bytes, json_parse_ms: jsonMs },
      ratios: { 'JSON parse': jsonMs / replayMs },
    });
  }

  embedded(inFlight: number, rounds: readonly EmbeddedRound[], floor: readonly PgliteFloor[]): void {
    const commits = median(floor.map(({ pglite_commits_per_s }) => pglite_commits_per_s));
    const measured = { rounds, unitsOfARound: rounds[0]?.runs ?? 0, traffic: {} };
    this.#measured({ id: 'B9', variant: `${inFlight} in flight`, unit: 'runs' }, measured, {
      floors: { pglite_commits_per_s: commits },
      ratios: { 'PGlite commits': medianRate(measured) / commits },
    });
    const metrics = spreads(
      rounds.map(({ emptyMs, killedMs, stoppedMs }) => ({
        start_empty_ms: emptyMs,
        start_after_kill_ms: killedMs,
        start_after_stop_ms: stoppedMs,
      })),
    );
    this.#add({ id: 'B9', variant: 'start to ready', unit: '', metrics, ...NOTHING });
    for (const [name, { median: ms, min, max }] of Object.entries(metrics)) {
      this.text(`B9 ${name}: ${Math.round(ms)} (${Math.round(min)} to ${Math.round(max)})`);
    }
  }

  compilations({ name, bytes }: Pick<Shape, 'name' | 'bytes'>, count: number, rounds: readonly CompileRound[]): void {
    const compileMs = median(rounds.map(({ rate }) => rate.p50_ms));
    const yamlMs = median(rounds.map((round) => round.yamlMs));
    const jsonMs = median(rounds.map((round) => round.jsonMs));
    const measured = { rounds, unitsOfARound: count, traffic: {} };
    this.#measured({ id: 'B8', variant: `compile, ${name}`, unit: 'definitions' }, measured, {
      floors: { source_bytes: bytes, yaml_parse_ms: yamlMs, json_parse_ms: jsonMs },
      ratios: { 'YAML parse': yamlMs / compileMs, 'JSON parse': jsonMs / compileMs },
    });
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
    const cpu = partsTable('CPU ms each', timed, ({ cpu_ms }) => cpu_ms);
    const writes = partsTable('write calls each', timed, (result) => result.writes);
    const traffic = timed.filter((result) => Object.keys(result.traffic).length > 0);
    this.text(`\n${resultTable(timed)}\n\n${cpu}\n\n${writes}`);
    if (traffic.length > 0) this.text(`\n${partsTable('servers, each', traffic, (result) => result.traffic)}`);
  }

  #measured(heading: Heading, measured: Measured, shares: Shares): Result {
    const { rounds, traffic } = measured;
    return this.#add({
      ...heading,
      metrics: spreads(rounds.map(({ rate }) => rate)),
      cpu_ms: cpuEach(measured),
      writes: writesPerUnit(sumBreakdowns(rounds.map(({ cpu }) => cpu)), measured.unitsOfARound * rounds.length),
      machine_use: this.#use(sumBreakdowns(rounds.map(({ cpu }) => cpu))),
      traffic,
      ...shares,
    });
  }

  #use(cpu: CpuBreakdown): Readonly<Record<string, number>> {
    const { busy, io_wait, steal } = cpu.machine;
    return { busy, others: othersShare(cpu, this.machine.cores), io_wait, steal };
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

/** Milliseconds of processor time for each unit, by process, over all repeats. */
function cpuEach({ rounds, unitsOfARound }: Measured): Readonly<Record<string, number>> {
  return cpuPerUnit(sumBreakdowns(rounds.map(({ cpu }) => cpu)), unitsOfARound * rounds.length);
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}

function medianRate({ rounds }: Measured): number {
  return median(rounds.map(({ rate }) => rate.per_second));
}
