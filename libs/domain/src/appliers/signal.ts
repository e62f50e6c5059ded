/** Appliers of the inbox: signals that were accepted and wait for somebody who waits for them. */
import { byteLength, canonicalize } from '@graphrun/dsl';
import { recorded } from '../cell.js';
import type { BodyOf, RunEvent } from '../events.js';
import type { Run } from '../state.js';

export function signalAcceptedV1(run: Run, body: BodyOf<'signal_accepted'>, event: RunEvent): void {
  run.inbox.set(body.event, {
    id: body.event,
    signal: body.signal,
    key: body.key,
    payload: recorded(body.payload, event.seq, '/payload'),
    order: event.seq,
    arrivedAt: body.arrivedAt,
    expiresAt: body.expiresAt,
    bytes: byteLength(canonicalize(body.payload)),
  });
}

export function signalExpiredV1(run: Run, body: BodyOf<'signal_expired'>): void {
  run.inbox.delete(body.event);
}
