/** Appliers of `run_admitted`: the only event that makes a run instead of changing one. */
import type { Program } from '@graphrun/dsl';
import { recorded } from '../cell.js';
import { HistoryError } from '../errors.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { Run } from '../state.js';

export type Admission = (body: BodyOf<'run_admitted'>, event: RunEvent, program: Program) => Run;

export const ADMISSIONS: { readonly [version: number]: Admission } = { 1: runAdmittedV1 };

export function runAdmittedV1(body: BodyOf<'run_admitted'>, event: RunEvent, program: Program): Run {
  if (body.digest !== program.digest) {
    throw new HistoryError(
      `run ${body.run} was admitted with artifact ${body.digest}, but was given ${program.digest}`,
    );
  }
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
