/** Histories written by hand, event by event, for appliers and for states that today's nodes cannot reach. */
import { POLICIES, type Program } from '@graphrun/dsl';
import { evolve } from '../evolve.js';
import type { ActivationId, EventBody, Run, RunEvent, RunId, ScopeId, SessionId, WorkflowId } from '../index.js';
import { START_MS } from './scenario.js';

export const RUN = '018bcfe5-6800-7000-8000-0000deadbeef' as RunId;
export const ROOT = 's1' as ScopeId;

export function admission(program: Program): EventBody {
  return {
    kind: 'run_admitted',
    run: RUN,
    workflowId: 'deadbeef000000000000000000000000' as WorkflowId,
    ordinal: 1,
    namespace: 'default',
    workflow: program.definition.id,
    version: program.definition.version,
    digest: program.digest,
    startKey: null,
    input: { n: 1 },
    policy: { terminalHistoryMs: POLICIES.terminalHistoryMs, tombstoneMs: POLICIES.tombstoneMs },
    deadline: null,
  };
}

export const OPENED: EventBody = { kind: 'scope_opened', scope: ROOT, role: 'root', input: { n: 1 } };

export function activated(activation: string, node = 'step1'): EventBody {
  return { kind: 'activity_activated', activation: activation as ActivationId, scope: ROOT, node, input: { n: 1 } };
}

export function granted(activation: string, generation = 1): EventBody {
  return {
    kind: 'attempt_granted',
    activation: activation as ActivationId,
    attempt: generation,
    generation,
    session: 'worker-1' as SessionId,
    deadline: START_MS + 10_000,
  };
}

/** Event `seq` happens `seq` ms after the start. */
export function eventsOf(bodies: readonly EventBody[]): RunEvent[] {
  return bodies.map((body, index) => ({
    seq: index + 1,
    at: START_MS + index + 1,
    v: 1,
    cause: { internal: 'progress' },
    by: 'engine',
    body,
  }));
}

/** The run that these events make, after its admission and its root scope. */
export function runAfter(program: Program, ...bodies: readonly EventBody[]): Run {
  let run: Run | null = null;
  for (const event of eventsOf([admission(program), OPENED, ...bodies])) run = evolve(run, event, program);
  if (run === null) throw new Error('a history has at least its admission');
  return run;
}
