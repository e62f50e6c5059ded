/** Process of the bare path: takes what has arrived, decides it, writes it, and only then tells anybody. */
import { jetstream } from '@nats-io/jetstream';
import type { JsMsg } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Batch, openBareStore } from './batch-writer.js';
import { BARE_NATS, BARE_POSTGRES, COMMAND_STREAM, WORK_SUBJECT } from './messages.js';
import type { BareCommand, BareGrant, BareOffer, BareResult } from './messages.js';

const LARGEST_BATCH = 128;

interface BareRun {
  seq: number;
  readonly replyTo: string;
}

const nc = await connect({ servers: process.env[BARE_NATS] ?? '' });
const store = await openBareStore(process.env[BARE_POSTGRES] ?? '');
const runs = new Map<string, BareRun>();
const inbox: JsMsg[] = [];
const waiting: (() => void)[] = [];

const consumer = await jetstream(nc).consumers.get(COMMAND_STREAM);
const messages = await consumer.consume({ max_messages: 1000 });
void (async () => {
  for await (const message of messages) {
    inbox.push(message);
    waiting.pop()?.();
  }
})();
process.stdout.write('ready\n');

for (;;) {
  if (inbox.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  const taken = inbox.splice(0, LARGEST_BATCH);
  const batch = new Batch();
  const afterCommit: (readonly [subject: string, data: BareOffer | BareGrant | BareResult])[] = [];
  for (const message of taken) decide(message.json<BareCommand>(), batch, afterCommit);
  await batch.write(store, taken.at(-1)?.seq ?? 0);
  for (const [subject, data] of afterCommit) nc.publish(subject, JSON.stringify(data));
}

function decide(
  command: BareCommand,
  batch: Batch,
  afterCommit: (readonly [string, BareOffer | BareGrant | BareResult])[],
): void {
  const write = (run: BareRun, ...events: readonly object[]): void => {
    batch.event(command.run, run.seq + 1, events);
    run.seq += events.length;
  };
  if (command.kind === 'start') {
    const { run, replyTo, input } = command;
    const started: BareRun = { seq: 0, replyTo };
    runs.set(run, started);
    write(started, { kind: 'admitted', input }, { kind: 'opened' }, { kind: 'activated', step: 'reserve', input });
    batch.status(run, 'active');
    batch.result(command.id, { run });
    afterCommit.push([WORK_SUBJECT, { run, step: 'reserve', input: { ...input } }]);
    return;
  }
  const run = runs.get(command.run);
  if (run === undefined) throw new Error(`there is no run ${command.run}`);
  if (command.kind === 'claim') {
    write(run, { kind: 'granted', step: command.step });
    afterCommit.push([command.replyTo, { id: command.id }]);
    return;
  }
  const { step, output } = command;
  if (step === 'reserve') {
    write(run, { kind: 'succeeded', step, output }, { kind: 'activated', step: 'charge', input: output });
    afterCommit.push([WORK_SUBJECT, { run: command.run, step: 'charge', input: output }]);
    return;
  }
  write(run, { kind: 'succeeded', step, output }, { kind: 'completed', output }, { kind: 'run_succeeded', output });
  batch.status(command.run, 'succeeded');
  runs.delete(command.run);
  afterCommit.push([run.replyTo, { run: command.run, output }]);
}
