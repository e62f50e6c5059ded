/** Invariant 12: what the log had in time is not beaten by the time that has passed before it was applied. */
import type { RunEvent } from '@graphrun/domain';
import type { LoggedCommand } from '@graphrun/messaging';
import type { RunRecord } from './record.js';
import { violated } from './violation.js';

interface Sent {
  readonly run?: string;
  readonly event?: string;
  readonly signal?: string;
  readonly key?: string;
  readonly activation?: string;
  readonly generation?: number;
  readonly session?: string;
}

/**
 * `unapplied` is what the log holds behind the position of the commit; `leadMs` is how far a clock of an owner may have been
 * ahead.
 */
export function inTimeBeatsTimer(
  record: RunRecord,
  event: RunEvent,
  unapplied: readonly LoggedCommand[],
  leadMs: number,
): void {
  const { body } = event;
  if (body.kind === 'wait_timed_out') {
    const opened = record.events.find(({ body: b }) => b.kind === 'wait_opened' && b.wait === body.wait)?.body;
    if (opened?.kind !== 'wait_opened' || opened.dueAt === null) return;
    const { signal, key, dueAt } = opened;
    const known = new Set(
      record.events.flatMap(({ body: b }) => (b.kind === 'signal_accepted' ? [b.event as string] : [])),
    );
    const inTime = find(
      unapplied,
      'signal',
      dueAt - leadMs,
      (sent) => sent.run === record.id && sent.signal === signal && sent.key === key && !known.has(sent.event ?? ''),
    );
    if (inTime !== null)
      violated(
        '12 in time',
        `wait ${body.wait} of run ${record.id} timed out at ${dueAt}, and its signal came at ${inTime.arrivedAt}`,
      );
  } else if (body.kind === 'attempt_lost' && body.reason === 'timeout') {
    const { activation, generation } = body;
    const grant = record.attempts.grants.get(`${activation}/${generation}`);
    if (grant === undefined) return;
    const { session, deadline } = grant;
    const inTime = find(
      unapplied,
      'report',
      deadline - leadMs,
      (sent) =>
        sent.run === record.id &&
        sent.activation === activation &&
        sent.generation === generation &&
        sent.session === session,
    );
    if (inTime !== null)
      violated(
        '12 in time',
        `attempt ${generation} of ${activation} of run ${record.id} was lost at its deadline ${deadline}, and its report came at ${inTime.arrivedAt}`,
      );
  }
}

function find(
  unapplied: readonly LoggedCommand[],
  kind: string,
  before: number,
  matches: (sent: Sent) => boolean,
): LoggedCommand | null {
  return (
    unapplied.find(
      (logged) => logged.kind === kind && logged.arrivedAt < before && matches(JSON.parse(logged.data) as Sent),
    ) ?? null
  );
}
