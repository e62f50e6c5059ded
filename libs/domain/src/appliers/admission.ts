/** Appliers of `run_admitted`: the only event that makes a run instead of changing one. */
import { recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import { programOf, type ProgramSource } from '../program-source.js';
import type { Run } from '../state.js';

export type Admission = (body: BodyOf<'run_admitted'>, event: RunEvent, programs: ProgramSource) => Run;

export const ADMISSIONS: { readonly [version: number]: Admission } = { 1: runAdmittedV1 };

export function runAdmittedV1(body: BodyOf<'run_admitted'>, event: RunEvent, programs: ProgramSource): Run {
  const program = programOf(programs, body.digest, `run ${body.run} was admitted with`);
  return {
    id: body.run,
    workflowId: body.workflowId,
    ordinal: body.ordinal,
    namespace: body.namespace,
    workflow: body.workflow,
    version: body.version,
    digest: body.digest,
    startKey: body.startKey,
    input: recorded(body.input, event.seq, '/input'),
    policy: body.policy,
    deadline: body.deadline,
    admittedAt: event.at,
    program,
    status: { kind: 'active' },
    paused: null,
    endedAt: null,
    seq: 0,
    updatedAt: event.at,
    historyBytes: 0,
    scopeCount: 0,
    activationCount: 0,
    waitCount: 0,
    scopes: new Map(),
    leaves: new Map(),
    containers: new Map(),
    waits: new Map(),
    inbox: new Map(),
    obligations: new Map(),
    open: new Set(),
    pending: new Set(),
    recent: [],
    repeatedStops: new Set(),
  };
}
