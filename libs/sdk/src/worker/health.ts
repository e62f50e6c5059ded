/**
 * Is the worker alive, and is it ready? Liveness includes progress: a process that answers but whose slots are all held
 * by handlers that ignore their abort does nothing any more, and only a restart helps (spec 09 "Stuck").
 */
import { POLICIES } from '@graphrun/dsl';
import type { Attempt } from './attempt.js';
import type { Host } from './host.js';

/** Results that wait that long for a receipt mean that the engine or the log is away. */
const SLOW_RECEIPT_MS = 15_000;

/** Handlers that were asked to stop and did not within the grace. */
function stuck(host: Host, now: number): readonly Attempt[] {
  return host.attempts().filter((attempt) => {
    const { abortedAt, phase } = attempt;
    return phase === 'running' && abortedAt !== null && now - abortedAt > POLICIES.cancellationGraceMs;
  });
}

function stuckActivities(host: Host, now: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { registration } of stuck(host, now)) {
    counts.set(registration.keyText, (counts.get(registration.keyText) ?? 0) + 1);
  }
  return host.slots
    .use()
    .filter(({ key, size }) => (counts.get(`${key.role}/${key.activity}/${key.version}`) ?? 0) >= size)
    .map(
      ({ key, size }) =>
        `${key.activity}/v${key.version}: all ${size} slots are held by handlers that ignored their abort`,
    );
}

/** Reasons to restart the process. */
export function liveness(host: Host, now: number): readonly string[] {
  return stuckActivities(host, now);
}

/** Reasons why work is not taken or not brought home now. */
export function readiness(host: Host, now: number): readonly string[] {
  const reasons = [...stuckActivities(host, now)];
  const { failingSince } = host.requests;
  if (failingSince !== null) {
    reasons.push(`the command log has taken nothing for ${Math.round((now - failingSince) / 1000)} s`);
  }
  const oldest = host.requests.oldestReport();
  if (oldest !== null && now - oldest > SLOW_RECEIPT_MS) {
    reasons.push(`a result has waited ${Math.round((now - oldest) / 1000)} s for its receipt`);
  }
  const silent = host.leases.silentPartitions();
  if (silent.length > 0) reasons.push(`the owners of partitions ${silent.join(', ')} renew no leases`);
  return reasons;
}
