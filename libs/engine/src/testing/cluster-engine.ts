/** Members of a cluster on real servers, in one process, each with connections of its own. */
import type { Artifact } from '@graphrun/dsl';
import type { JetStreamMessaging } from '@graphrun/messaging';
import { connectJetStream } from '@graphrun/messaging';
import type { Logger } from '@graphrun/runtime';
import { silentLogger } from '@graphrun/runtime';
import type { Database } from '@graphrun/store';
import { openPostgres } from '@graphrun/store';
import type { NatsService, PostgresService } from '@graphrun/testing';
import { startNats, startPostgres } from '@graphrun/testing';
import type { EngineConfig } from '../config.js';
import { engineConfig } from '../config.js';
import type { Coordinator } from '../coordinator.js';
import { createCoordinator } from '../coordinator.js';
import { TestClient } from './client.js';
import type { Fault } from './fault-store.js';
import { FaultDatabase } from './fault-store.js';

export const PARTITIONS = 4;

export interface MemberOptions {
  readonly config?: Partial<EngineConfig>;
  readonly logger?: Logger;
  /** In force before the member begins. */
  readonly fault?: Fault;
}

export interface Member {
  readonly name: string;
  readonly coordinator: Coordinator;
  readonly messaging: JetStreamMessaging;
  readonly database: Database;
  readonly faults: FaultDatabase;
  /** In order: hands partitions over. */
  stop(): Promise<void>;
  /** As a death of the process looks to others: connections are gone, nothing is handed over. */
  vanish(): Promise<void>;
}

export class TestCluster {
  readonly members: Member[] = [];
  readonly #clients: { close(): Promise<void> }[] = [];

  private constructor(
    readonly nats: NatsService,
    readonly postgres: PostgresService,
    readonly database: Database,
    readonly names: readonly string[],
  ) {}

  static async start(names: readonly string[], definitions: readonly Artifact[]): Promise<TestCluster> {
    const [nats, postgres] = await Promise.all([startNats(), startPostgres({ fsync: false })]);
    const database = await openPostgres({ url: postgres.url, applicationName: 'graphrun-test' });
    await database.migrate();
    for (const artifact of definitions) await database.query.publishDefinition('default', artifact);
    return new TestCluster(nats, postgres, database, names);
  }

  async connect(role: 'client' | 'worker' | 'coordinator', principal: string): Promise<JetStreamMessaging> {
    return connectJetStream({
      servers: this.nats.servers,
      cluster: 'test',
      role,
      principal,
      partitions: PARTITIONS,
      replicas: 1,
    });
  }

  async client(principal = 'tester'): Promise<TestClient> {
    const messaging = await this.connect('client', principal);
    const client = await TestClient.open(messaging, PARTITIONS, principal);
    this.#clients.push({
      async close() {
        await client.close();
        await messaging.close();
      },
    });
    return client;
  }

  async member(name: string, options: MemberOptions = {}): Promise<Member> {
    const faults = new FaultDatabase();
    if (options.fault !== undefined) faults.fault = options.fault;
    const database = await openPostgres({ url: this.postgres.url, applicationName: `graphrun-test-${name}` });
    const messaging = await this.connect('coordinator', name);
    const coordinator = createCoordinator({
      cluster: 'test',
      config: engineConfig({ partitions: PARTITIONS, member: name, members: this.names, ...options.config }),
      database: faults.wrap(database),
      messaging,
      logger: options.logger ?? silentLogger,
    });
    await coordinator.start();
    let gone = false;
    const close = async (inOrder: boolean): Promise<void> => {
      if (gone) return;
      gone = true;
      if (inOrder) await coordinator.stop();
      await messaging.close();
      // Closing the connections first leaves the engine without a way to hand over.
      await database.close();
      if (!inOrder) await coordinator.stop();
    };
    const member = {
      name,
      coordinator,
      messaging,
      database,
      faults,
      stop: () => close(true),
      vanish: () => close(false),
    };
    this.members.push(member);
    return member;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.close();
    for (const member of this.members) await member.stop();
    await this.database.close();
    await Promise.all([this.nats.stop(), this.postgres.stop()]);
  }
}
