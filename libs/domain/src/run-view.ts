/** A run as HTTP, CLI and console show it (spec 05): snake_case JSON, times in UTC ms. */
import type { Json } from '@graphrun/dsl';
import type { CompensationSummary, Failure, UnresolvedEffect } from './events.js';
import type { HeartbeatFact, Heartbeats, Reason } from './explain.js';
import { roleOf, type Role, type WaitId } from './ids.js';
import { pathOf, scopePath } from './path.js';
import type { Container, ContainerWork, Leaf, LeafStatus, Obligation, Run, Scope, Wait } from './state.js';
import { containerOf, effectOf, stopOf, termsOf } from './status.js';

export interface ReasonView {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly action: string;
  readonly since: number;
  readonly due_at?: number;
}

export interface ActivityView {
  readonly activation: string;
  readonly role: Role;
  readonly scope: string;
  readonly node: string;
  /** From the root: `nodes.each[17].nodes.pay`. */
  readonly path: string;
  readonly activity: string;
  readonly version: number;
  readonly status: LeafStatus['kind'];
  readonly since: number;
  /** Attempts granted so far, those handed back unstarted among them. */
  readonly attempts: number;
  readonly max_attempts: number;
  readonly input: Json;
  readonly output?: Json;
  readonly error?: Failure;
  /** Session of the attempt under way or last known. */
  readonly session?: string;
  readonly deadline?: number;
  readonly due_at?: number;
  readonly late_results?: number;
  /** What the attempt under way last said of itself; known to the owner of the run only while it runs. */
  readonly heartbeat?: { readonly at: number; readonly details: Json };
}

export type ScopeRole = 'root' | 'case' | 'iteration' | 'item' | 'branch' | 'saga';

export interface ScopeView {
  readonly scope: string;
  readonly role: ScopeRole;
  /** From the root: `nodes.each[17]`; empty for the root. */
  readonly path: string;
  readonly status: Scope['status']['kind'];
}

/** A container under way, in compact form. */
export interface ContainerView {
  readonly activation: string;
  readonly scope: string;
  readonly node: string;
  /** From the root: `nodes.each[17].nodes.inner`. */
  readonly path: string;
  readonly kind: Container['work']['kind'];
  readonly status: Container['status']['kind'];
  readonly since: number;
  /** Iterations done, items or branches completed. */
  readonly done?: number;
  /** Items or branches in all, iterations of a repeat. */
  readonly total?: number;
  /** Bodies under way. */
  readonly active: number;
  readonly error?: Failure;
}

export interface WaitView {
  readonly wait: string;
  readonly scope: string;
  readonly node: string;
  /** From the root: `nodes.each[17].nodes.wait`. */
  readonly path: string;
  /** Absent for timers. */
  readonly signal?: string;
  readonly key?: string;
  readonly status: Wait['status']['kind'];
  /** UTC ms. */
  readonly deadline?: number;
  readonly since: number;
}

export interface ObligationView {
  /** The forward activation. */
  readonly activation: string;
  readonly node: string;
  /** Name of the activity that undoes it, null for what is irreversible. */
  readonly handler: string | null;
  readonly status: Obligation['status']['kind'];
  /** Place among what its saga owes; the highest is undone first. */
  readonly order?: number;
  readonly error?: Failure;
}

export interface RunView {
  readonly run: string;
  readonly workflow_id: string;
  readonly workflow: string;
  readonly version: number;
  readonly status: Run['status']['kind'];
  readonly output?: Json;
  /** Why the run ended or is about to. */
  readonly error?: Failure;
  /** `failure`, `cancel` or `timeout` while the run stops. */
  readonly stopping?: string;
  readonly ordinal: number;
  readonly namespace: string;
  readonly start_key: string | null;
  readonly digest: string;
  readonly seq: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly deadline: number | null;
  readonly input: Json;
  readonly paused?: { readonly since: number; readonly reason: string; readonly by: string };
  /** Run that this one continued as. */
  readonly successor?: string;
  /** What an outcome says about effects that were not undone. */
  readonly compensation?: CompensationSummary;
  /** Of a terminated run: the effects that nobody has settled or undone. */
  readonly unresolved?: readonly UnresolvedEffect[];
  readonly scopes: readonly ScopeView[];
  readonly containers: readonly ContainerView[];
  readonly activities: readonly ActivityView[];
  readonly waits: readonly WaitView[];
  readonly obligations: readonly ObligationView[];
  /** Signals that were accepted and that no wait has taken yet. */
  readonly buffered_signals: number;
  readonly explain: readonly ReasonView[];
}

export function describeRun(run: Run, reasons: readonly Reason[], heartbeats: Heartbeats = new Map()): RunView {
  return {
    run: run.id,
    workflow_id: run.workflowId,
    workflow: run.workflow,
    version: run.version,
    status: run.status.kind,
    ...outcome(run),
    ordinal: run.ordinal,
    namespace: run.namespace,
    start_key: run.startKey,
    digest: run.digest,
    seq: run.seq,
    started_at: run.admittedAt,
    ended_at: run.endedAt,
    deadline: run.deadline,
    input: run.input.value,
    scopes: Array.from(run.scopes.values(), (scope) => describeScope(run, scope)),
    containers: Array.from(run.containers.values(), (container) => describeContainer(run, container)),
    activities: Array.from(run.leaves.values(), (leaf) => describeActivity(run, leaf, heartbeats.get(leaf.id))),
    waits: Array.from(run.pending, (id) => describeWait(run, id)).filter((wait) => wait !== null),
    obligations: Array.from(run.obligations.values(), (obligation) => describeObligation(run, obligation)),
    buffered_signals: run.inbox.size,
    explain: reasons.map(describeReason),
  };
}

type Outcome = Pick<RunView, 'output' | 'error' | 'stopping' | 'successor' | 'compensation' | 'unresolved' | 'paused'>;

function outcome(run: Run): Outcome {
  const { status } = run;
  switch (status.kind) {
    case 'succeeded':
      return { output: status.output.value };
    case 'failed':
    case 'cancelled':
      return { error: status.failure, ...(status.compensation === null ? {} : { compensation: status.compensation }) };
    case 'continued':
      return { successor: status.successor };
    case 'terminated':
      return { error: status.failure, unresolved: status.unresolved };
    default: {
      const stop = stopOf(run);
      return {
        ...(stop === null ? {} : { error: stop.failure, stopping: stop.intent }),
        ...(run.paused === null ? {} : { paused: run.paused }),
      };
    }
  }
}

function describeScope(run: Run, scope: Scope): ScopeView {
  return { scope: scope.id, role: roleOfScope(run, scope), path: scopePath(run, scope), status: scope.status.kind };
}

const ROLES: { readonly [K in Container['work']['kind']]: ScopeRole } = {
  choose: 'case',
  loop: 'iteration',
  foreach: 'item',
  parallel: 'branch',
  saga: 'saga',
};

function roleOfScope(run: Run, scope: Scope): ScopeRole {
  const container = containerOf(run, scope);
  return container === null ? 'root' : ROLES[container.work.kind];
}

function describeContainer(run: Run, container: Container): ContainerView {
  const { id, scope, node, work, status, since, bodies } = container;
  return {
    activation: id,
    scope,
    node,
    path: pathOf(run, run.scopes.get(scope) ?? null, node),
    kind: work.kind,
    status: status.kind,
    since,
    ...progressOf(work),
    active: bodies.size,
    ...('failure' in status && status.failure !== null ? { error: status.failure } : {}),
  };
}

function progressOf(work: ContainerWork): Pick<ContainerView, 'done' | 'total'> {
  switch (work.kind) {
    case 'loop':
      return { done: work.done, ...(work.count === null ? {} : { total: work.count }) };
    case 'foreach':
      return { done: work.results.size, total: Array.isArray(work.items.value) ? work.items.value.length : 0 };
    case 'parallel':
      return { done: work.results.size, total: work.inputs.length };
    default:
      return {};
  }
}

/** What is over stands in the history; what is shown is what the run still waits for. */
function describeWait(run: Run, pending: WaitId): WaitView | null {
  const wait = run.waits.get(pending);
  if (wait === undefined) return null;
  const { id, scope, node, for: what, status, dueAt, openedAt } = wait;
  return {
    wait: id,
    scope,
    node,
    path: pathOf(run, run.scopes.get(scope) ?? null, node),
    ...(what.kind === 'signal' ? { signal: what.signal, key: what.key } : {}),
    status: status.kind,
    ...(dueAt === null ? {} : { deadline: dueAt }),
    since: openedAt,
  };
}

function describeObligation(run: Run, { forward, node, handler, saga, status }: Obligation): ObligationView {
  const work = run.containers.get(saga)?.work;
  const order = work?.kind === 'saga' ? work.obligations.indexOf(forward) : -1;
  return {
    activation: forward,
    node,
    handler: handler?.name ?? null,
    status: status.kind,
    ...(order < 0 ? {} : { order: order + 1 }),
    ...('reason' in status && typeof status.reason !== 'string' ? { error: status.reason } : {}),
  };
}

function describeActivity(run: Run, leaf: Leaf, said: HeartbeatFact | undefined): ActivityView {
  const activity = effectOf(run, leaf.pointer, leaf.id);
  const { maxAttempts } = termsOf(run, leaf).retry;
  return {
    activation: leaf.id,
    role: roleOf(leaf.id),
    scope: leaf.scope,
    node: leaf.node,
    path: pathOf(run, run.scopes.get(leaf.scope) ?? null, leaf.node),
    activity: activity.name,
    version: activity.version,
    status: leaf.status.kind,
    since: leaf.since,
    attempts: leaf.attempts,
    max_attempts: maxAttempts + leaf.extended + leaf.forgiven,
    input: leaf.input.value,
    ...describeStatus(leaf.status),
    ...(leaf.last === null ? {} : { session: leaf.last.session }),
    ...(leaf.late === 0 ? {} : { late_results: leaf.late }),
    ...(said === undefined ? {} : describeHeartbeat(leaf, said)),
  };
}

function describeHeartbeat(
  { status }: Leaf,
  { generation, at, details }: HeartbeatFact,
): Pick<ActivityView, 'heartbeat'> {
  return status.kind === 'claimed' && status.claim.generation === generation ? { heartbeat: { at, details } } : {};
}

function describeStatus(status: LeafStatus): Pick<ActivityView, 'output' | 'error' | 'deadline' | 'due_at'> {
  switch (status.kind) {
    case 'claimed':
      return { deadline: status.claim.deadline };
    case 'retry_wait':
      return { due_at: status.dueAt, error: status.last };
    case 'blocked':
      return { error: status.reason };
    case 'reconciling':
      return {
        error: status.reason,
        ...(status.probing.dueAt === null ? {} : { due_at: status.probing.dueAt }),
      };
    case 'ended':
    case 'failed':
      return { error: status.failure };
    case 'succeeded':
      return { output: status.output.value };
    case 'ready':
    case 'cancelled':
      return {};
  }
}

function describeReason(reason: Reason): ReasonView {
  const { code, path, message, action, since, dueAt } = reason;
  return { code, path, message, action, since, ...(dueAt === undefined ? {} : { due_at: dueAt }) };
}
