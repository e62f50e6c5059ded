/** A run as HTTP, CLI and console show it (spec 05): snake_case JSON, times in UTC ms. */
import type { Json } from '@graphrun/dsl';
import type { Failure } from './events.js';
import type { Reason } from './explain.js';
import type { Leaf, LeafStatus, Run, Scope } from './state.js';
import { activityNodeOf, isTerminal, stopOf } from './status.js';

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
  readonly scope: string;
  readonly node: string;
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
}

export interface ScopeView {
  readonly scope: string;
  readonly role: 'root';
  readonly status: Scope['status']['kind'];
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
  readonly scopes: readonly ScopeView[];
  readonly activities: readonly ActivityView[];
  readonly waits: readonly Json[];
  readonly obligations: readonly Json[];
  readonly explain: readonly ReasonView[];
}

export function describeRun(run: Run, reasons: readonly Reason[]): RunView {
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
    scopes: Array.from(run.scopes.values(), (scope) => ({ scope: scope.id, role: 'root', status: scope.status.kind })),
    activities: Array.from(run.leaves.values(), (leaf) => describeActivity(run, leaf)),
    waits: [],
    obligations: [],
    explain: reasons.map(describeReason),
  };
}

function outcome(run: Run): Pick<RunView, 'output' | 'error' | 'stopping'> {
  const { status } = run;
  if (isTerminal(status))
    return status.kind === 'succeeded' ? { output: status.output.value } : { error: status.failure };
  const stop = stopOf(run);
  return stop === null ? {} : { error: stop.failure, stopping: stop.intent };
}

function describeActivity(run: Run, leaf: Leaf): ActivityView {
  const { activity, retry } = activityNodeOf(run, leaf);
  return {
    activation: leaf.id,
    scope: leaf.scope,
    node: leaf.node,
    activity: activity.name,
    version: activity.version,
    status: leaf.status.kind,
    since: leaf.since,
    attempts: leaf.attempts,
    max_attempts: retry.maxAttempts,
    input: leaf.input.value,
    ...describeStatus(leaf.status),
    ...(leaf.last === null ? {} : { session: leaf.last.session }),
    ...(leaf.late === 0 ? {} : { late_results: leaf.late }),
  };
}

function describeStatus(status: LeafStatus): Pick<ActivityView, 'output' | 'error' | 'deadline' | 'due_at'> {
  switch (status.kind) {
    case 'claimed':
      return { deadline: status.claim.deadline };
    case 'retry_wait':
      return { due_at: status.dueAt, error: status.last };
    case 'blocked':
      return { error: status.reason };
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
