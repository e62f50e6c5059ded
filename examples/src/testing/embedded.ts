/** The examples in the embedded engine, with the demo handlers in a real worker. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent, RunId, SignalEventId } from '@graphrun/domain';
import type { Artifact, Catalog, Json } from '@graphrun/dsl';
import { createCoordinator, engineConfig, silentLogger } from '@graphrun/engine';
import type { Coordinator } from '@graphrun/engine';
import { createEmbeddedMessaging } from '@graphrun/messaging';
import type { EmbeddedMessaging } from '@graphrun/messaging';
import { newCommandId, partitionOf, partitionOfRun, workflowIdFor } from '@graphrun/protocol';
import type { CommandResult, TerminalOutcome } from '@graphrun/protocol';
import { createWorker } from '@graphrun/sdk';
import type { Worker } from '@graphrun/sdk';
import { openEmbedded } from '@graphrun/store';
import type { Database } from '@graphrun/store';
import { handlers, reconcilers } from '../handlers/index.js';

const PARTITIONS = 2;
const PRINCIPAL = 'tester';

export interface Ended {
  readonly run: RunId;
  readonly outcome: TerminalOutcome;
  readonly events: readonly RunEvent['body'][];
}

export class EmbeddedExamples {
  readonly #receipts = new Map<string, (result: CommandResult) => void>();
  readonly #ended = new Map<string, TerminalOutcome>();
  readonly #ends = new Map<string, (outcome: TerminalOutcome) => void>();
  #inbox = '';

  private constructor(
    private readonly dataDir: string,
    private readonly database: Database,
    private readonly messaging: EmbeddedMessaging,
    private readonly coordinator: Coordinator,
    private readonly worker: Worker,
  ) {}

  static async open(catalog: Catalog, definitions: readonly Artifact[]): Promise<EmbeddedExamples> {
    const dataDir = await mkdtemp(join(tmpdir(), 'graphrun-examples-'));
    const database = await openEmbedded({ dataDir });
    await database.migrate();
    for (const definition of definitions) await database.query.publishDefinition('default', definition);
    const messaging = createEmbeddedMessaging({ clock: Date.now, cluster: 'test' });
    const config = engineConfig({ partitions: PARTITIONS, member: 'm', members: ['m'] });
    const coordinator = createCoordinator({ cluster: 'test', config, database, messaging, logger: silentLogger });
    await coordinator.start();
    const worker = createWorker({ messaging, catalog, worker: 'w', principal: 'w', logger: silentLogger });
    worker.handleAll(handlers, null, reconcilers);
    await worker.start();
    const examples = new EmbeddedExamples(dataDir, database, messaging, coordinator, worker);
    await examples.#listen();
    return examples;
  }

  async close(): Promise<void> {
    await this.worker.drain();
    await this.coordinator.stop();
    await this.messaging.close();
    await this.database.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async start(workflow: string, input: Json): Promise<RunId> {
    const id = newCommandId();
    const namespace = 'default';
    const workflowId = workflowIdFor({ namespace, workflow, startKey: null, principal: PRINCIPAL, commandId: id });
    const fields = { workflowId, namespace, workflow, version: null, startKey: null, input };
    return this.#send('start', partitionOf(workflowId, PARTITIONS), { id, ...fields });
  }

  async signal(run: RunId, signal: string, key: string, payload: Json): Promise<void> {
    const event = newCommandId() as string as SignalEventId;
    const fields = { id: newCommandId(), run, event, signal, key, payload };
    await this.#send('signal', partitionOfRun(run, PARTITIONS), fields);
  }

  /** How the run ended, and what happened until then. */
  async end(run: RunId): Promise<Ended> {
    const outcome =
      this.#ended.get(run) ?? (await new Promise<TerminalOutcome>((resolve) => this.#ends.set(run, resolve)));
    const rows = await this.database.query.events(run, 1, 1_000);
    const events = rows.flatMap(({ data }) => JSON.parse(data) as RunEvent[]);
    return { run, outcome, events: events.map(({ body }) => body) };
  }

  async #listen(): Promise<void> {
    const inbox = await this.messaging.feed.openInbox('client', PRINCIPAL, (receipt) => {
      if (receipt.kind === 'client') this.#receipts.get(receipt.id)?.(receipt.result);
    });
    await this.messaging.feed.watch(({ changes }) => {
      for (const { run, outcome } of changes) {
        if (outcome === undefined) continue;
        this.#ended.set(run, outcome);
        this.#ends.get(run)?.(outcome);
      }
    });
    this.#inbox = inbox.address;
  }

  async #send(kind: 'start' | 'signal', partition: number, fields: { readonly id: string }): Promise<RunId> {
    const data = JSON.stringify({ kind, notAfter: Date.now() + 60_000, replyTo: this.#inbox, ...fields });
    const answer = new Promise<CommandResult>((resolve) => this.#receipts.set(fields.id, resolve));
    await this.messaging.log.publish({ partition, role: 'client', principal: PRINCIPAL, kind, data });
    const result = await answer;
    if (!result.ok) throw new Error(`${kind} was refused: ${result.code} ${result.message}`);
    return result.run;
  }
}
