/** Schemas of runs as the API shows them: `RunView` of the domain, member by member. */
import type {
  ActivityView,
  ContainerView,
  ObligationView,
  ReasonCode,
  Role,
  ScopeRole,
  ScopeView,
} from '@graphrun/domain';
import { RUN_STATUSES } from '../runs/list-runs.js';
import { membersOf, closed, count, integer, listOf, nullable, oneOf, text, time, value } from './schema-parts.js';
import type { JsonSchema } from './shape/shape.js';

export const RUN_STATUS = oneOf(...RUN_STATUSES);

const failure = closed({ code: text, message: text });

const reason = closed(
  {
    code: membersOf<ReasonCode>({
      recovery_hold: true,
      queued: true,
      no_worker: true,
      unknown_contract: true,
      running: true,
      retry_wait: true,
      settling: true,
      reconciling: true,
      intervention_required: true,
      compensation_blocked: true,
      timer: true,
      signal: true,
      children: true,
      paused: true,
      progress_due: true,
      limit_near: true,
      ended: true,
    }),
    path: { type: 'string', description: 'What waits, from the root: `nodes.each[17].nodes.pay`; or `run`.' },
    message: text,
    action: { type: 'string', description: 'What a person can do.' },
    since: time,
    due_at: { ...time, description: 'UTC milliseconds at which the reason ends by itself.' },
  },
  ['due_at'],
);

const wait = closed(
  {
    wait: text,
    scope: text,
    node: text,
    path: { type: 'string', description: 'From the root: `nodes.each[17].nodes.wait`.' },
    signal: text,
    key: text,
    status: oneOf('pending'),
    deadline: time,
    since: time,
  },
  ['signal', 'key', 'deadline'],
);

const obligation = closed(
  {
    activation: { type: 'string', description: 'The forward activation whose effect is meant.' },
    node: text,
    handler: { ...nullable(text), description: 'The activity that undoes it; null for what is irreversible.' },
    status: membersOf<ObligationView['status']>({
      open: true,
      blocked_input: true,
      compensating: true,
      compensated: true,
      blocked_execution: true,
      irreversible: true,
      abandoned: true,
    }),
    order: { ...integer, description: 'Place among what its saga owes; the highest is undone first.' },
    error: failure,
  },
  ['order', 'error'],
);

const EFFECT = { activation: text, node: text, handler: nullable(text), reason: text };
const effect = closed(EFFECT);

/** What start, run and inspect have in common. */
export const RUN_FIELDS = {
  run: text,
  workflow_id: text,
  workflow: text,
  version: integer,
  status: RUN_STATUS,
  output: { description: 'The output, once the run has succeeded.' },
  error: { ...failure, description: 'Why the run ended, or is about to.' },
  stopping: { ...oneOf('failure', 'cancel', 'timeout'), description: 'The intent, while the run stops.' },
  compensation: {
    ...closed({ complete: { type: 'boolean' }, irreversible: listOf(effect), unresolved: listOf(effect) }),
    description: 'What became of the effects of sagas that did not succeed.',
  },
  unresolved: {
    ...listOf(closed({ ...EFFECT, path: text })),
    description: 'Of a terminated run: the effects that nobody has settled or undone, and why.',
  },
  successor: { type: 'string', description: 'The run that this one continued as.' },
  paused: closed({ since: time, reason: text, by: text }),
  waits: {
    ...listOf(wait),
    description: 'What is waited for: signals, by `signal` and `key`, and times, which have neither.',
  },
  obligations: { ...listOf(obligation), description: 'What sagas owe for effects that stand.' },
  explain: {
    ...listOf(reason),
    description:
      'Why the run does not go on, and what a person can do. Empty where the answer was given without looking the run up.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const RUN_OPTIONAL = ['output', 'error', 'stopping', 'compensation', 'unresolved', 'successor', 'paused'];

const scope = closed({
  scope: text,
  role: membersOf<ScopeRole>({ root: true, case: true, iteration: true, item: true, branch: true, saga: true }),
  path: { type: 'string', description: 'From the root: `nodes.each[17]`; empty for the root.' },
  status: membersOf<ScopeView['status']>({
    open: true,
    settling: true,
    completed: true,
    failed: true,
    cancelled: true,
  }),
});

const container = closed(
  {
    activation: text,
    scope: text,
    node: text,
    path: { type: 'string', description: 'From the root: `nodes.each[17].nodes.inner`.' },
    kind: membersOf<ContainerView['kind']>({ choose: true, loop: true, foreach: true, parallel: true, saga: true }),
    status: membersOf<ContainerView['status']>({ open: true, settling: true, failed: true, cancelled: true }),
    since: time,
    done: { ...count, description: 'Iterations, items or branches completed.' },
    total: { ...count, description: 'Items or branches in all, iterations of a repeat.' },
    active: { ...count, description: 'Bodies under way.' },
    error: failure,
  },
  ['done', 'total', 'error'],
);

const activity = closed(
  {
    activation: text,
    role: membersOf<Role>({ forward: true, compensation: true, reconciliation: true }),
    scope: text,
    node: text,
    path: text,
    activity: text,
    version: integer,
    status: membersOf<ActivityView['status']>({
      ready: true,
      claimed: true,
      ended: true,
      retry_wait: true,
      reconciling: true,
      blocked: true,
      succeeded: true,
      failed: true,
      cancelled: true,
    }),
    since: time,
    attempts: count,
    max_attempts: count,
    input: value,
    output: value,
    error: failure,
    session: text,
    deadline: time,
    due_at: time,
    late_results: count,
    heartbeat: {
      ...closed({ at: time, details: value }),
      description: 'What the attempt under way last said of itself; its owner keeps it in memory only.',
    },
  },
  ['output', 'error', 'session', 'deadline', 'due_at', 'late_results', 'heartbeat'],
);

/** What inspect shows beyond that. */
export const DETAIL_FIELDS = {
  ordinal: integer,
  namespace: text,
  start_key: nullable(text),
  digest: text,
  seq: { ...count, description: 'Sequence of the last event: the `expected_seq` of a command decided on this state.' },
  started_at: time,
  ended_at: nullable(time),
  deadline: nullable(time),
  input: value,
  scopes: listOf(scope),
  containers: { ...listOf(container), description: 'Containers under way, in compact form.' },
  activities: listOf(activity),
  buffered_signals: { ...count, description: 'Signals that were accepted and that no wait has taken yet.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;
