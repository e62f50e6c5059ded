/** Histories written by hand, event by event, for appliers and for states that no command leads to. */
import { POLICIES, type Json, type Program } from '@graphrun/dsl';
import { evolve } from '../evolve.js';
import type { ActivationId, EventBody, Run, RunEvent, RunId, ScopeId, SessionId, WorkflowId } from '../index.js';
import { START_MS } from './scenario.js';
import { activity, body, complete, from, workflow } from './workflow.js';

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

export function activated(activation: string, node = 'step1', scope: string = ROOT): EventBody {
  return {
    kind: 'activity_activated',
    activation: activation as ActivationId,
    scope: scope as ScopeId,
    node,
    input: { n: 1 },
  };
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

/** Two branches, each with two external activities in a row: `one`, then `two`. */
export function branches(name = 'safe'): Program {
  const branch = (branchName: string) => ({
    name: branchName,
    input: from('workflow.input'),
    body: body({ one: activity(name, 'two'), two: activity(name, 'end'), end: complete() }),
  });
  return workflow({
    both: { kind: 'parallel', branches: [branch('left'), branch('right')], next: 'end' },
    end: complete(from('workflow.input')),
  });
}

/** Both branches are open (`s2`, `s3`), and in each `one` is claimed: `a2` and `a3`. */
export const BOTH_CLAIMED: readonly EventBody[] = [
  entered('a1', 'both', [{ n: 1 }, { n: 1 }]),
  opened('s2', 'a1', 0),
  opened('s3', 'a1', 1),
  activated('a2', 'one', 's2'),
  granted('a2'),
  activated('a3', 'one', 's3'),
  granted('a3'),
];

export function entered(activation: string, node: string, inputs: readonly Json[]): EventBody {
  return { kind: 'parallel_entered', activation: activation as ActivationId, scope: ROOT, node, inputs };
}

export function opened(scope: string, owner: string, slot: number): EventBody {
  return { kind: 'body_opened', scope: scope as ScopeId, owner: owner as ActivationId, slot };
}

/** Event `seq` happens `seq` ms after the start. */
export function eventsOf(bodies: readonly EventBody[]): RunEvent[] {
  return bodies.map((each, index) => ({
    seq: index + 1,
    at: START_MS + index + 1,
    v: 1,
    cause: { internal: 'progress' },
    by: 'engine',
    body: each,
  }));
}

/** The run that these events make, after its admission and its root scope. */
export function runAfter(program: Program, ...bodies: readonly EventBody[]): Run {
  let run: Run | null = null;
  for (const event of eventsOf([admission(program), OPENED, ...bodies])) run = evolve(run, event, program);
  if (run === null) throw new Error('a history has at least its admission');
  return run;
}
