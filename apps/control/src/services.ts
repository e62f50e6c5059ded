/**
 * What control can do, without HTTP: the clustered service, the embedded server and one-shot commands of the CLI all use
 * this same composition.
 */
import type { RunId } from '@graphrun/domain';
import type { ChangeFeed, CommandLog, WorkQueue } from '@graphrun/messaging';
import { systemClock } from '@graphrun/runtime';
import type { WallClock, Logger } from '@graphrun/runtime';
import type { QueryStore } from '@graphrun/store';
import type { ControlConfig } from './config.js';
import { CatalogService } from './definitions/catalog-service.js';
import { DefinitionService } from './definitions/definition-service.js';
import { Backpressure } from './gateway/backpressure.js';
import { CommandGateway } from './gateway/command-gateway.js';
import { Outcomes } from './gateway/outcomes.js';
import { HeartbeatReader } from './runs/heartbeat-reader.js';
import { readHistory } from './runs/history.js';
import type { HistoryPage } from './runs/history.js';
import { RunCommander } from './runs/run-command.js';
import { RunReader } from './runs/run-reader.js';
import { RunInspector } from './runs/run-view.js';
import { RunStarter } from './runs/start-run.js';
import { WorkerDirectory } from './runs/worker-directory.js';

export interface ControlPorts {
  readonly query: QueryStore;
  readonly log: CommandLog;
  readonly feed: ChangeFeed;
  readonly queue: WorkQueue;
  readonly config: ControlConfig;
  readonly logger: Logger;
  readonly clock?: WallClock;
  /** Further reasons why this process is not ready, such as the health of an embedded engine. */
  readonly health?: () => readonly string[];
  /** Told after contracts were published. */
  readonly onCatalogPublished?: () => Promise<void>;
}

export class ControlServices {
  readonly query: QueryStore;
  readonly queue: WorkQueue;
  readonly config: ControlConfig;
  readonly logger: Logger;
  readonly gateway: CommandGateway;
  readonly outcomes: Outcomes;
  readonly reader: RunReader;
  readonly starter: RunStarter;
  readonly commander: RunCommander;
  readonly inspector: RunInspector;
  readonly catalogs: CatalogService;
  readonly definitions: DefinitionService;
  readonly health: () => readonly string[];

  constructor(ports: ControlPorts) {
    const clock = ports.clock ?? systemClock;
    const { partitions } = ports.config;
    this.query = ports.query;
    this.queue = ports.queue;
    this.config = ports.config;
    this.logger = ports.logger;
    this.health = ports.health ?? (() => []);
    const backpressure = new Backpressure(clock);
    this.gateway = new CommandGateway(ports.log, ports.feed, clock, backpressure);
    this.reader = new RunReader(ports.query);
    this.outcomes = new Outcomes(
      ports.feed,
      (run) => this.reader.outcome(run),
      clock,
      partitions,
      (error) => this.logger.warn({ err: error }, 'a run that is waited for could not be read'),
      (notice) => backpressure.note(notice),
    );
    this.starter = new RunStarter(this.gateway, this.outcomes, clock, partitions);
    this.commander = new RunCommander(this.gateway, partitions);
    const workers = new WorkerDirectory(ports.queue, clock);
    const heartbeats = new HeartbeatReader(ports.queue, clock, partitions);
    this.inspector = new RunInspector(this.reader, workers, heartbeats, clock);
    this.catalogs = new CatalogService(ports.query, ports.onCatalogPublished);
    this.definitions = new DefinitionService(ports.query, this.catalogs);
  }

  /** A page of a run's events. Throws `NotFound`. */
  history(run: RunId, fromSeq: number, limit: number): Promise<HistoryPage> {
    return readHistory(this.query, this.reader, run, fromSeq, limit);
  }

  /** Begins to follow the commits of the cluster. */
  async start(): Promise<void> {
    await this.outcomes.start();
  }

  /** Ends all waits; commands without a receipt end as unknown. */
  async close(): Promise<void> {
    await this.outcomes.close();
    await this.gateway.close();
  }
}
