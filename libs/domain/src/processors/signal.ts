/** `signal` brings a message for a wait of its address: one that is open takes it in the same commit, else it is kept. */
import { byteLength, canonicalize, isName, LIMITS, POLICIES } from '@graphrun/dsl';
import { earliestFor, waitOn } from '../behaviours/inbox.js';
import type { Decision, SignalCommand } from '../commands.js';
import { at } from '../failures.js';
import type { Recorder } from '../recorder.js';
import type { Run } from '../state.js';
import { isTerminal, stopOf } from '../status.js';
import { ACCEPTED, rejected } from './answers.js';

/** What was accepted before is answered before this: identities outlive runs, and the engine keeps them. */
export function signal(recorder: Recorder, command: SignalCommand): Decision {
  const refusal = refuse(recorder.run, command);
  if (refusal !== null) return refusal;
  const { event, signal: name, key, payload } = command;
  const { arrivedAt } = recorder.context;
  const expiresAt = arrivedAt + POLICIES.unreservedSignalMs;
  recorder.record({ kind: 'signal_accepted', event, signal: name, key, payload, arrivedAt, expiresAt });
  const wait = waitOn(recorder.run, name, key);
  // An older signal of the same address goes first: a new one never overtakes it.
  const entry = wait === null ? null : earliestFor(recorder.run, wait, recorder.now);
  if (wait !== null && entry !== null) recorder.record({ kind: 'wait_satisfied', wait: wait.id, event: entry.id });
  return ACCEPTED;
}

/** Why the signal is not accepted, or null. That the run stops goes before that it is blocked. */
function refuse(run: Run, { signal: name, key, payload }: SignalCommand): Decision | null {
  if (run.status.kind === 'continued') {
    return rejected('FailedPrecondition', `run ${run.id} continued as ${run.status.successor}; send the signal there`);
  }
  if (isTerminal(run.status))
    return rejected('FailedPrecondition', `run ${run.id} has ended: it is ${run.status.kind}`);
  if (stopOf(run) !== null) return rejected('FailedPrecondition', `run ${run.id} is stopping and takes no signals`);
  const declared = run.program.definition.signals ?? {};
  const signalOf = isName(name) && Object.hasOwn(declared, name) ? declared[name] : undefined;
  if (signalOf === undefined) {
    const known = Object.keys(declared);
    const hint = known.length === 0 ? 'it declares none' : `it declares ${known.join(', ')}`;
    return rejected('InvalidArgument', `${run.workflow} version ${run.version} has no signal "${name}"; ${hint}`);
  }
  if (byteLength(key) > LIMITS.signalKeyBytes) {
    return rejected(
      'InvalidArgument',
      `the key of a signal has at most ${LIMITS.signalKeyBytes} bytes; this has ${byteLength(key)}`,
    );
  }
  const issue = run.program.validate(signalOf.schema, payload);
  if (issue !== null) {
    return rejected('InvalidArgument', `the payload${at(issue)} does not fit signal "${name}": ${issue.message}`);
  }
  return overQuota(run, name, key, byteLength(canonicalize(payload)));
}

function overQuota(run: Run, signal: string, key: string, bytes: number): Decision | null {
  let ofAddress = 0;
  let total = bytes;
  for (const entry of run.inbox.values()) {
    total += entry.bytes;
    if (entry.signal === signal && entry.key === key) ofAddress += 1;
  }
  const full = (what: string, limit: number, unit: string): Decision =>
    rejected('ResourceExhausted', `${what} holds ${limit} ${unit} that no wait has taken; wait until some are taken`);
  if (run.inbox.size >= LIMITS.bufferedSignalsPerRun)
    return full(`run ${run.id}`, LIMITS.bufferedSignalsPerRun, 'signals');
  if (ofAddress >= LIMITS.bufferedSignalsPerAddress) {
    return full(`signal "${signal}" with this key`, LIMITS.bufferedSignalsPerAddress, 'signals');
  }
  if (total > LIMITS.bufferedSignalBytesPerRun) return full(`run ${run.id}`, LIMITS.bufferedSignalBytesPerRun, 'bytes');
  return null;
}
