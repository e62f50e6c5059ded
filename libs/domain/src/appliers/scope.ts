/** Appliers of scopes. */
import type { BodyOf, RunEvent } from '../events.js';
import type { Run, Scope } from '../state.js';
import { regionOf } from '../status.js';
import { findScope } from './find.js';

export function scopeOpenedV1(run: Run, body: BodyOf<'scope_opened'>, event: RunEvent): void {
  const scope: Scope = {
    id: body.scope,
    input: { value: body.input, seq: event.seq },
    status: { kind: 'open' },
    next: null,
    activations: new Map(),
  };
  scope.next = regionOf(run, scope).start;
  run.scopes.set(body.scope, scope);
}

export function scopeCompletedV1(run: Run, body: BodyOf<'scope_completed'>): void {
  const scope = findScope(run, body.scope);
  scope.status = { kind: 'completed' };
  scope.next = null;
}

export function scopeFailedV1(run: Run, body: BodyOf<'scope_failed'>): void {
  const scope = findScope(run, body.scope);
  scope.status = { kind: 'failed', failure: body.failure };
  scope.next = null;
}

export function scopeCancelledV1(run: Run, body: BodyOf<'scope_cancelled'>): void {
  const scope = findScope(run, body.scope);
  scope.status = { kind: 'cancelled' };
  scope.next = null;
}
