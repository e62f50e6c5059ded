/**
 * Creates the streams and consumers that are missing. What exists already is compared in the fields that matter here
 * and never changed: servers add fields of their own, and two processes with different settings must not take turns
 * in reconfiguring a stream.
 */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import type { ConsumerConfig, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { workKeyText } from '@graphrun/protocol';
import type { WorkKey } from '@graphrun/protocol';
import { ACK_WAIT_MS, LOG_CAPACITY, MAX_COMMAND_BYTES } from '../limits.js';
import type { Connection } from './connection.js';

export const STREAM_NOT_FOUND = 10059;
export const CONSUMER_NOT_FOUND = 10014;

/** Hints beyond this are dropped, oldest first; owners offer again. */
const WORK_CAPACITY = 131_072;
/** Waiting pulls and unacknowledged offers of one activity, over all its workers. */
const MAX_WAITING_PULLS = 8192;
const MAX_UNACKED_OFFERS = 32_768;

type StreamShape = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'storage' | 'discard' | 'num_replicas' | 'max_msgs'
> &
  Partial<Pick<StreamConfig, 'max_msg_size'>>;

export function isApiError(cause: unknown, code: number): boolean {
  return cause instanceof JetStreamApiError && cause.code === code;
}

function commandStream(connection: Connection, partition: number): StreamShape {
  return {
    name: connection.subjects.streamName(partition),
    subjects: [connection.subjects.commandFilter(partition)],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    num_replicas: connection.options.replicas,
    max_msgs: LOG_CAPACITY,
    max_msg_size: MAX_COMMAND_BYTES,
  };
}

function workStream(connection: Connection): StreamShape {
  return {
    name: connection.subjects.workStreamName(),
    subjects: [connection.subjects.workFilter()],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.Memory,
    discard: DiscardPolicy.Old,
    num_replicas: connection.options.replicas,
    max_msgs: WORK_CAPACITY,
  };
}

/** The stream of a partition's commands, created if it is not there. */
export function ensureCommandStream(connection: Connection, partition: number): Promise<StreamInfo> {
  return ensureStream(connection, commandStream(connection, partition));
}

export function ensureWorkStream(connection: Connection): Promise<StreamInfo> {
  return ensureStream(connection, workStream(connection));
}

async function ensureStream(connection: Connection, wanted: StreamShape): Promise<StreamInfo> {
  let info: StreamInfo;
  try {
    info = await connection.jsm.streams.info(wanted.name);
  } catch (failure) {
    if (!isApiError(failure, STREAM_NOT_FOUND)) throw failure;
    info = await createStream(connection, wanted);
  }
  reportDifferences(connection, `stream ${wanted.name}`, wanted, info.config);
  return info;
}

async function createStream(connection: Connection, wanted: StreamShape): Promise<StreamInfo> {
  try {
    return await connection.jsm.streams.add(wanted);
  } catch (failure) {
    // Another process may have created it in between, with other settings.
    try {
      return await connection.jsm.streams.info(wanted.name);
    } catch (second) {
      if (isApiError(second, STREAM_NOT_FOUND)) throw failure;
      throw second;
    }
  }
}

/** The durable consumer of an activity's queue, created if it is not there. Its name. */
export async function ensureWorkConsumer(connection: Connection, key: WorkKey): Promise<string> {
  const stream = connection.subjects.workStreamName();
  const name = connection.subjects.consumerName(key);
  const wanted = {
    durable_name: name,
    filter_subject: connection.subjects.work(key),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
    max_ack_pending: MAX_UNACKED_OFFERS,
    max_waiting: MAX_WAITING_PULLS,
    mem_storage: true,
  } satisfies Partial<ConsumerConfig>;
  let config: ConsumerConfig;
  try {
    config = (await connection.jsm.consumers.info(stream, name)).config;
  } catch (failure) {
    if (!isApiError(failure, CONSUMER_NOT_FOUND)) throw failure;
    config = (await connection.jsm.consumers.add(stream, wanted)).config;
  }
  reportDifferences(connection, `consumer ${name} of ${workKeyText(key)}`, wanted, config);
  return name;
}

function reportDifferences(connection: Connection, what: string, wanted: object, found: object): void {
  const differences: string[] = [];
  for (const [field, value] of Object.entries(wanted)) {
    const actual: unknown = (found as Record<string, unknown>)[field];
    if (JSON.stringify(actual) === JSON.stringify(value)) continue;
    // Servers leave out what is false or empty.
    if (actual === undefined && (value === false || value === 0)) continue;
    differences.push(`${field} is ${JSON.stringify(actual)} instead of ${JSON.stringify(value)}`);
  }
  if (differences.length === 0) return;
  connection.report(
    new Error(`${what} differs from this process's settings: ${differences.join(', ')}; edit one of the two`),
    what,
  );
}
