/**
 * Writes a run's state as canonical JSON (RFC 8785): equal states have equal texts, however they came about.
 *
 * Every run is encoded at least once, at its end, on the path of the commit. So what every run has is written in the order
 * of its members by hand, which takes a third of the time of sorting them, and the test holds the result against
 * `canonicalize`. What only some runs have is left to `canonicalize`.
 */
import { byteLength, canonicalize, type Json } from '@graphrun/dsl';
import type { Failure, RunPolicy } from '../events.js';
import type {
  Cell,
  Claim,
  Container,
  ContainerWork,
  InboxEntry,
  Leaf,
  LeafStatus,
  Obligation,
  Reported,
  Run,
  RunStatus,
  Scope,
} from '../state.js';
import { CHECKPOINT_FORMAT, INLINE_VALUE_BYTES, type StoredRun } from './format.js';

export function encodeCheckpoint(run: Run): string {
  const references = new Set<number>();
  const containers = list(run.containers.values(), (each) => container(each, references));
  const inbox = list(run.inbox.values(), (each) => inboxEntry(each, references));
  const input = cell(run.input, references);
  const leaves = list(run.leaves.values(), (each) => leaf(each, references));
  const obligations = list(run.obligations.values(), (each) => obligation(each, references));
  const recent = list(run.recent, (each) => leaf(each, references));
  const scopes = list(run.scopes.values(), (each) => scope(each, references));
  const status = runStatus(run.status, references);
  return (
    `{"activationCount":${run.activationCount},"admittedAt":${run.admittedAt},"containers":${containers}` +
    `,"deadline":${run.deadline},"digest":${text(run.digest)},"endedAt":${run.endedAt}` +
    `,"format":"${CHECKPOINT_FORMAT}","historyBytes":${run.historyBytes},"id":${text(run.id)},"inbox":${inbox}` +
    `,"input":${input},"leaves":${leaves},"namespace":${text(run.namespace)},"obligations":${obligations}` +
    `,"ordinal":${run.ordinal},"paused":${plain(run.paused)},"policy":${policy(run.policy)},"recent":${recent}` +
    `,"references":[${[...references].sort((a, b) => a - b).join()}],"repeatedStops":${list(run.repeatedStops, text)}` +
    `,"scopeCount":${run.scopeCount},"scopes":${scopes},"seq":${run.seq},"startKey":${textOrNull(run.startKey)}` +
    `,"status":${status},"updatedAt":${run.updatedAt},"version":${run.version},"waitCount":${run.waitCount}` +
    `,"waits":${list(run.waits.values(), plain)},"workflow":${text(run.workflow)}` +
    `,"workflowId":${text(run.workflowId)}}`
  );
}

/** Digest of the definition that a checkpoint is to be read with. */
export function checkpointDigest(state: string): string {
  return (JSON.parse(state) as Pick<StoredRun, 'digest'>).digest;
}

/** Sequences of the events that `decodeCheckpoint` will ask for, ascending. */
export function checkpointReferences(state: string): number[] {
  return [...(JSON.parse(state) as Pick<StoredRun, 'references'>).references];
}

function cell(from: Cell, references: Set<number>): string {
  if ('parts' in from) return `{"parts":${list(from.parts, (part) => cell(part, references))}}`;
  const value = canonicalize(from.value);
  const place = `"at":${text(from.at)},"seq":${from.seq}`;
  if (byteLength(value) <= INLINE_VALUE_BYTES) return `{${place},"value":${value}}`;
  references.add(from.seq);
  return `{${place}}`;
}

function cellOrNull(from: Cell | null, references: Set<number>): string {
  return from === null ? 'null' : cell(from, references);
}

function runStatus(status: RunStatus, references: Set<number>): string {
  switch (status.kind) {
    case 'active':
      return '{"kind":"active"}';
    case 'succeeded':
      return `{"kind":"succeeded","output":${cell(status.output, references)}}`;
    default:
      return plain(status);
  }
}

function scope(from: Scope, references: Set<number>): string {
  const { loop, item } = from.frame;
  const errors = list(from.errors, ([node, each]) => `[${text(node)},${failure(each)}]`);
  const outputs = list(from.outputs, ([node, each]) => `[${text(node)},${cell(each, references)}]`);
  return (
    `{"activations":${list(from.activations, text)},"current":${plain(from.current)},"errors":${errors}` +
    `,"id":"${from.id}","input":${cell(from.input, references)}` +
    `,"item":${item === null ? 'null' : `{"index":${item.index},"value":${cell(item.value, references)}}`}` +
    `,"loop":${loop === null ? 'null' : `{"index":${loop.index},"state":${cell(loop.state, references)}}`}` +
    `,"next":${textOrNull(from.next)},"outputs":${outputs},"owner":${plain(from.owner)},"region":${text(from.region)}` +
    `,"status":${plain(from.status)},"waits":${list(from.waits, text)}}`
  );
}

function container(from: Container, references: Set<number>): string {
  return (
    `{"bodies":${list(from.bodies, text)},"id":"${from.id}","node":${text(from.node)},"pointer":${text(from.pointer)}` +
    `,"scope":"${from.scope}","since":${from.since},"status":${plain(from.status)},"work":${work(from.work, references)}}`
  );
}

function work(from: ContainerWork, references: Set<number>): string {
  switch (from.kind) {
    case 'choose':
      return (
        `{"chosen":${from.chosen},"input":${cell(from.input, references)},"kind":"choose"` +
        `,"result":${cellOrNull(from.result, references)}}`
      );
    case 'loop':
      return `{"carry":${cell(from.carry, references)},"count":${from.count},"done":${from.done},"kind":"loop"}`;
    case 'foreach':
      return (
        `{"items":${cell(from.items, references)},"kind":"foreach","opened":${from.opened}` +
        `,"results":${results(from.results, references)}}`
      );
    case 'parallel':
      return (
        `{"inputs":${list(from.inputs, (each) => cell(each, references))},"kind":"parallel","opened":${from.opened}` +
        `,"results":${results(from.results, references)}}`
      );
    case 'saga':
      return (
        `{"aborting":${from.aborting},"input":${cell(from.input, references)},"kind":"saga"` +
        `,"obligations":${list(from.obligations, text)},"result":${cellOrNull(from.result, references)}}`
      );
  }
}

/** By index: results come in the order in which bodies end, and equal states must have equal texts. */
function results(from: ReadonlyMap<number, Cell>, references: Set<number>): string {
  const ordered = [...from].sort(([a], [b]) => a - b);
  return list(ordered, ([index, each]) => `[${index},${cell(each, references)}]`);
}

function leaf(from: Leaf, references: Set<number>): string {
  return (
    `{"attempts":${from.attempts},"extended":${from.extended},"forgiven":${from.forgiven},"id":"${from.id}","input":${cell(from.input, references)}` +
    `,"last":${from.last === null ? 'null' : claim(from.last)},"late":${from.late},"losses":${list(from.losses, failure)}` +
    `,"node":${text(from.node)},"pointer":${text(from.pointer)}` +
    `,"reported":${from.reported === null ? 'null' : reported(from.reported)}` +
    `,"returned":${from.returned},"scope":"${from.scope}","since":${from.since}` +
    `,"status":${leafStatus(from.status, references)}}`
  );
}

function leafStatus(status: LeafStatus, references: Set<number>): string {
  switch (status.kind) {
    case 'ready':
      return `{"generation":${status.generation},"kind":"ready"}`;
    case 'claimed':
      return `{"claim":${claim(status.claim)},"kind":"claimed"}`;
    case 'succeeded':
      return `{"generation":${status.generation},"kind":"succeeded","output":${cell(status.output, references)}}`;
    default:
      return plain(status);
  }
}

function claim(from: Claim): string {
  return (
    `{"attempt":${from.attempt},"deadline":${from.deadline},"generation":${from.generation}` +
    `,"session":${text(from.session)}}`
  );
}

function reported(from: Reported): string {
  const { outcome } = from;
  const told =
    outcome.kind === 'error' ? `{"failure":${failure(outcome.failure)},"kind":"error"}` : `{"kind":"${outcome.kind}"}`;
  return `{"generation":${from.generation},"outcome":${told},"session":${text(from.session)}}`;
}

function inboxEntry({ payload, ...rest }: InboxEntry, references: Set<number>): string {
  return withCell({ ...rest }, 'payload', cell(payload, references));
}

function obligation({ input, ...rest }: Obligation, references: Set<number>): string {
  return withCell({ ...rest }, 'input', cellOrNull(input, references));
}

/** Canonical JSON of an object with one member whose text is there already. */
function withCell(members: object, name: string, written: string): string {
  const entries = Object.entries(members as Readonly<Record<string, Parameters<typeof plain>[0]>>).map(
    ([key, value]): [string, string] => [key, plain(value)],
  );
  const sorted = [...entries, [name, written] as const].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${text(key)}:${value}`).join(',')}}`;
}

/** Plain data of the state; interfaces lack the index signature that `Json` asks for. */
function plain(value: object | string | number | boolean | null): string {
  return value === null ? 'null' : canonicalize(value as Json);
}

function failure(from: Failure): string {
  return `{"code":${text(from.code)},"message":${text(from.message)}}`;
}

function policy(from: RunPolicy): string {
  return `{"terminalHistoryMs":${from.terminalHistoryMs},"tombstoneMs":${from.tombstoneMs}}`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

function textOrNull(value: string | null): string {
  return value === null ? 'null' : text(value);
}

function list<T>(items: Iterable<T>, write: (item: T) => string): string {
  let written = '';
  for (const item of items) written += written === '' ? write(item) : `,${write(item)}`;
  return `[${written}]`;
}
