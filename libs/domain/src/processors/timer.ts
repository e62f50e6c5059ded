/** `timer` says that a recorded time has come. It resolves only against what waits for exactly that time now. */
import { earliestFor } from '../behaviours/inbox.js';
import { intendStop } from '../behaviours/stopping.js';
import type { Decision, TimerCommand } from '../commands.js';
import { engineFailure } from '../failures.js';
import { roleOf, type ActivationId, type WaitId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import { isOpen, isTerminal, scopeOf, stopOf } from '../status.js';
import { ACCEPTED, CLOSED, forgotten, stale } from './answers.js';

export function timer(recorder: Recorder, { name, dueAt }: TimerCommand): Decision {
  if (recorder.now < dueAt) return stale(`it is ${recorder.now}, before ${dueAt}`);
  if (isTerminal(recorder.run.status)) return stale(`the run has ${recorder.run.status.kind}`);
  if (name === 'run') return runDeadline(recorder, dueAt);
  if (name === 'inbox') return expireSignals(recorder);
  return name.startsWith('w')
    ? waitDue(recorder, name as WaitId, dueAt)
    : leafDue(recorder, name as ActivationId, dueAt);
}

/** Any stop intent disarms the run's deadline. */
function runDeadline(recorder: Recorder, dueAt: number): Decision {
  const { run } = recorder;
  if (run.deadline !== dueAt) return stale(`the run has no deadline at ${dueAt}`);
  if (stopOf(run) !== null) return stale('the run is stopping already');
  const timeoutMs = dueAt - run.admittedAt;
  const message = `the run did not end within ${timeoutMs} ms of its start`;
  intendStop(recorder, 'timeout', engineFailure('run.timeout', message));
  return ACCEPTED;
}

/** The backoff of a leaf is over, or its reconciler is to be asked. */
function leafDue(recorder: Recorder, activation: ActivationId, dueAt: number): Decision {
  const { run } = recorder;
  const leaf = run.leaves.get(activation);
  if (leaf === undefined) return forgotten(run, activation);
  const { status } = leaf;
  if (status.kind === 'retry_wait' && status.dueAt === dueAt) {
    // The leaf is about to be withdrawn, in a later commit or when the run is resumed.
    if (roleOf(activation) === 'forward' && !isOpen(run, scopeOf(run, leaf))) return stale(CLOSED);
    recorder.record({ kind: 'retry_due', activation });
    return ACCEPTED;
  }
  if (status.kind === 'reconciling' && status.probing.dueAt === dueAt) {
    recorder.record({ kind: 'probe_started', activation });
    return ACCEPTED;
  }
  return stale(`${activation} does not wait for ${dueAt}: it is ${status.kind}`);
}

/** A wait for a signal takes what it may still take, and is over only without that. */
function waitDue(recorder: Recorder, id: WaitId, dueAt: number): Decision {
  const { run } = recorder;
  const wait = run.waits.get(id);
  if (wait?.status.kind !== 'pending' || wait.dueAt !== dueAt) return stale(`${id} does not wait for ${dueAt}`);
  if (run.scopes.get(wait.scope)?.status.kind !== 'open') return stale(`${id} is being cancelled`);
  if (wait.for.kind === 'timer') {
    recorder.record({ kind: 'timer_fired', wait: id });
    return ACCEPTED;
  }
  const entry = earliestFor(run, wait, recorder.now);
  recorder.record(
    entry === null ? { kind: 'wait_timed_out', wait: id } : { kind: 'wait_satisfied', wait: id, event: entry.id },
  );
  return ACCEPTED;
}

function expireSignals(recorder: Recorder): Decision {
  const expired = [...recorder.run.inbox.values()].filter(({ expiresAt }) => expiresAt <= recorder.now);
  if (expired.length === 0) return stale('no signal has expired');
  for (const { id } of expired) recorder.record({ kind: 'signal_expired', event: id });
  return ACCEPTED;
}
