/** Numbers of one coordinator for Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ApplyOutcome } from '@graphrun/store';
import type { ClosedPartitionBatch } from './processor/batch.js';

/** What can only be read at the moment it is asked for. */
export interface Gauges {
  readonly partitions: () => number;
  readonly residentRuns: () => number;
  readonly residentBytes: () => number;
  readonly readyLeaves: () => number;
  readonly claimedLeaves: () => number;
  readonly waitingCommands: () => number;
}

export class EngineMetrics {
  readonly registry = new Registry();
  readonly #commits: Counter<'outcome'>;
  readonly #commands: Counter;
  readonly #events: Counter;
  readonly #commitSeconds: Histogram;
  readonly #batchCommands: Histogram;
  readonly #quarantined: Counter;
  readonly #refused: Counter;
  readonly #takeovers: Counter;
  readonly #timerLateness: Histogram;

  constructor() {
    const registers = [this.registry];
    const name = (rest: string): string => `graphrun_engine_${rest}`;
    this.#commits = new Counter({
      name: name('commits_total'),
      help: 'Transactions sent, by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.#commands = new Counter({ name: name('commands_total'), help: 'Commands committed', registers });
    this.#events = new Counter({ name: name('event_rows_total'), help: 'Event rows committed', registers });
    this.#commitSeconds = new Histogram({
      name: name('commit_seconds'),
      help: 'Time from sending a transaction to its outcome',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 5],
      registers,
    });
    this.#batchCommands = new Histogram({
      name: name('batch_commands'),
      help: 'Commands in one transaction',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
      registers,
    });
    this.#quarantined = new Counter({
      name: name('quarantined_total'),
      help: 'Commands put into quarantine',
      registers,
    });
    this.#refused = new Counter({ name: name('refused_total'), help: 'Messages refused unread', registers });
    this.#takeovers = new Counter({ name: name('takeovers_total'), help: 'Partitions taken over', registers });
    this.#timerLateness = new Histogram({
      name: name('timer_lateness_seconds'),
      help: 'Time from when a timer was due to when it was decided',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300],
      registers,
    });
  }

  observe(gauges: Gauges): void {
    const gauge = (rest: string, help: string, read: () => number): Gauge =>
      new Gauge({
        name: `graphrun_engine_${rest}`,
        help,
        registers: [this.registry],
        collect() {
          this.set(read());
        },
      });
    gauge('partitions', 'Partitions owned', gauges.partitions);
    gauge('resident_runs', 'Runs in memory', gauges.residentRuns);
    gauge('resident_bytes', 'Estimated bytes of runs in memory', gauges.residentBytes);
    gauge('ready_leaves', 'Leaves that wait for a worker', gauges.readyLeaves);
    gauge('claimed_leaves', 'Leaves that workers run', gauges.claimedLeaves);
    gauge('waiting_commands', 'Commands delivered and not yet decided', gauges.waitingCommands);
  }

  committed(outcome: ApplyOutcome['kind'], parts: readonly ClosedPartitionBatch[], elapsedMs: number): void {
    this.#commits.inc({ outcome });
    this.#commitSeconds.observe(elapsedMs / 1000);
    if (outcome !== 'committed') return;
    let commands = 0;
    let events = 0;
    for (const part of parts) {
      commands += part.open.items.length;
      events += part.writes.events.length;
    }
    this.#commands.inc(commands);
    this.#events.inc(events);
    this.#batchCommands.observe(commands);
  }

  quarantined(): void {
    this.#quarantined.inc();
  }

  refused(): void {
    this.#refused.inc();
  }

  takenOver(): void {
    this.#takeovers.inc();
  }

  timerFired(latenessMs: number): void {
    this.#timerLateness.observe(Math.max(0, latenessMs) / 1000);
  }
}
