/** Process of the bare path: takes offers, and reports what the two trivial steps give. */
import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { connect, createInbox } from '@nats-io/transport-node';
import { BARE_GRANTS, BARE_NATS, COMMAND_SUBJECT, WORK_CONSUMER, WORK_STREAM } from './messages.js';
import type { BareCommand, BareGrant, BareOffer, BareValue } from './messages.js';

const nc = await connect({ servers: process.env[BARE_NATS] ?? '' });
const withGrants = process.env[BARE_GRANTS] === 'yes';
const replyTo = createInbox();
const claimed = new Map<string, BareOffer>();
nc.subscribe(replyTo, {
  callback: (_error, message) => {
    const { id } = message.json<BareGrant>();
    const offer = claimed.get(id);
    if (offer === undefined) return;
    claimed.delete(id);
    report(offer);
  },
});

const consumer = await jetstream(nc).consumers.get(WORK_STREAM, WORK_CONSUMER);
const messages = await consumer.consume({ max_messages: 200 });
process.stdout.write('ready\n');
for await (const message of messages) {
  const offer = message.json<BareOffer>();
  if (withGrants) {
    const id = randomUUID();
    claimed.set(id, offer);
    send({ kind: 'claim', id, run: offer.run, step: offer.step, replyTo });
  } else report(offer);
  message.ack();
}

function report({ run, step, input }: BareOffer): void {
  send({ kind: 'report', id: randomUUID(), run, step, output: step === 'reserve' ? reserve(input) : charge(input) });
}

function reserve(order: BareValue): BareValue {
  return { ...order, reservation_id: 'res-1' };
}

function charge({ order_id = '', amount = 0 }: BareValue): BareValue {
  return { order_id, amount, payment_id: 'pay-1' };
}

function send(command: BareCommand): void {
  nc.publish(COMMAND_SUBJECT, JSON.stringify(command));
}
