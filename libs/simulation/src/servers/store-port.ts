/** The store as one process sees it: over a network, with commits that go wrong in every way they can. */
import { GraphrunError } from '@graphrun/protocol';
import type { ApplyOutcome, EngineStore, PartitionWrites } from '@graphrun/store';
import type { Process } from '../core/process.js';
import type { Tables } from './tables.js';

/** What goes wrong with the next commit of a process. */
export type CommitFault =
  /** Nothing is written, and the connection is lost. */
  | 'lost before'
  /** It is committed, and the connection is lost before the answer. */
  | 'lost after'
  /** It takes seconds. */
  | 'slow before'
  | 'slow after';

export interface StoreWatcher {
  committed(process: Process, writes: readonly PartitionWrites[]): void;
  /** The process has been told that a guard missed for these. */
  fenced(process: Process, writes: readonly PartitionWrites[]): void;
}

const SLOW_MS = 4000;
const POISON = '"poison';

export class StorePort implements EngineStore {
  /** What goes wrong with the next commits. */
  readonly faults: CommitFault[] = [];
  /** True time until which PostgreSQL cannot be reached. */
  awayUntil = 0;

  constructor(
    readonly process: Process,
    readonly tables: Tables,
    readonly watcher: StoreWatcher,
  ) {}

  readonly #latency = (): { there: number; back: number } => {
    const { random } = this.process;
    return { there: random.int(0, 2), back: random.int(0, 2) };
  };

  #read<T>(label: string, serve: () => T): Promise<T> {
    return this.process.request(label, this.#latency(), () => {
      if (this.awayUntil > this.process.scheduler.now) throw new GraphrunError('Unavailable', 'PostgreSQL is away');
      return serve();
    });
  }

  readonly initPartitions: EngineStore['initPartitions'] = (count) =>
    this.#read('init', () => this.tables.initPartitions(count));
  readonly partitions: EngineStore['partitions'] = () => this.#read('partitions', () => this.tables.partitions());
  readonly takeOver: EngineStore['takeOver'] = (...args) =>
    this.#read(`takeover of ${args[0]}`, () => this.tables.takeOver(...args));
  readonly resetLog: EngineStore['resetLog'] = (...args) => this.#read('reset', () => this.tables.resetLog(...args));
  readonly renewLeases: EngineStore['renewLeases'] = (...args) =>
    this.#read('renewal', () => this.tables.renewLeases(...args));
  readonly markStarted: EngineStore['markStarted'] = (...args) =>
    this.#read('mark', () => this.tables.markStarted(...args));
  readonly release: EngineStore['release'] = (...args) => this.#read('release', () => this.tables.release(...args));
  readonly clock: EngineStore['clock'] = () => this.#read('clock', () => this.tables.clock());
  readonly results: EngineStore['results'] = (keys) => this.#read('results', () => this.tables.results(keys));
  readonly signals: EngineStore['signals'] = (sent) => this.#read('signals', () => this.tables.signals(sent));
  readonly workflows: EngineStore['workflows'] = (ids) => this.#read('workflows', () => this.tables.workflows(ids));
  readonly loadRuns: EngineStore['loadRuns'] = (runs) => this.#read('runs', () => this.tables.loadRuns(runs));
  readonly eventsAt: EngineStore['eventsAt'] = (run, seqs) =>
    this.#read('events', () => this.tables.eventsAt(run, seqs));
  readonly wakes: EngineStore['wakes'] = (...args) => this.#read('wakes', () => this.tables.wakes(...args));
  readonly recentResults: EngineStore['recentResults'] = (...args) =>
    this.#read('recent results', () => this.tables.recentResults(...args));
  readonly resolveVersion: EngineStore['resolveVersion'] = (...args) =>
    this.#read('version', () => this.tables.resolveVersion(...args));
  readonly artifact: EngineStore['artifact'] = (digest) => this.#read('artifact', () => this.tables.artifact(digest));

  async apply(writes: readonly PartitionWrites[]): Promise<ApplyOutcome> {
    const fault = this.faults.shift() ?? null;
    const { there, back } = this.#latency();
    const latency = {
      there: there + (fault === 'slow before' ? SLOW_MS : 0),
      back: back + (fault === 'slow after' ? SLOW_MS : 0),
    };
    const outcome = await this.process.request('commit', latency, () => this.#commit(writes, fault));
    if (outcome.kind === 'guard_missed' && writes.length === 1) this.watcher.fenced(this.process, writes);
    return outcome;
  }

  #commit(writes: readonly PartitionWrites[], fault: CommitFault | null): ApplyOutcome {
    const lost: ApplyOutcome = { kind: 'unknown', cause: new Error(`connection ${fault ?? 'refused'}`) };
    if (fault === 'lost before' || this.awayUntil > this.process.scheduler.now) return lost;
    // A value that PostgreSQL cannot store: the statement fails as a whole.
    if (writes.some(({ events }) => events.some(({ data }) => data.includes(POISON))))
      return { kind: 'data_error', sqlstate: '22021', message: 'invalid byte sequence' };
    const outcome = this.tables.apply(writes);
    this.process.scheduler.note(`db: ${outcome.kind} ${describe(writes)}`);
    if (outcome.kind === 'committed') this.watcher.committed(this.process, writes);
    return fault === 'lost after' ? lost : outcome;
  }
}

function describe(writes: readonly PartitionWrites[]): string {
  return writes
    .map(({ move, events }) => {
      const texts = events.map(({ run, seq, data }) => {
        const kinds = (JSON.parse(data) as { body: { kind: string } }[]).map(({ body }) => body.kind);
        return `${run.slice(-8)}#${seq} ${kinds.join(' ')}`;
      });
      return `p${move.partition} e${move.epoch} c${move.commitNo} @${move.position.seq} [${texts.join('; ')}]`;
    })
    .join(', ');
}
