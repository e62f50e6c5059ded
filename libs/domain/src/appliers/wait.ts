/** Appliers of waits: for time, and for signals. */
import type { BodyOf, RunEvent } from '../events.js';
import type { ScopeId, WaitId } from '../ids.js';
import { nodeAt, nodePointer } from '../program-index.js';
import type { Run, Wait, WaitKind } from '../state.js';
import { damaged, findScope, findWait } from './find.js';

interface Opening {
  readonly wait: WaitId;
  readonly scope: ScopeId;
  readonly node: string;
  readonly dueAt: number | null;
}

function open(run: Run, { wait, scope: scopeId, node, dueAt }: Opening, what: WaitKind, event: RunEvent): void {
  const scope = findScope(run, scopeId);
  scope.next = null;
  scope.current = { wait };
  scope.waits.add(wait);
  run.waitCount += 1;
  const opened: Wait = {
    id: wait,
    scope: scopeId,
    node,
    for: what,
    dueAt,
    openedAt: event.at,
    status: { kind: 'pending' },
  };
  run.waits.set(wait, opened);
  run.pending.add(wait);
}

export function timerSetV1(run: Run, body: BodyOf<'timer_set'>, event: RunEvent): void {
  open(run, body, { kind: 'timer' }, event);
}

export function waitOpenedV1(run: Run, body: BodyOf<'wait_opened'>, event: RunEvent): void {
  const { signal, key, buffered } = body;
  open(run, body, { kind: 'signal', signal, key, after: buffered ? 0 : event.seq }, event);
}

export function timerFiredV1(run: Run, body: BodyOf<'timer_fired'>): void {
  const wait = findWait(run, body.wait);
  end(run, wait, { kind: 'elapsed' });
  goOn(run, wait, 'next');
}

export function waitSatisfiedV1(run: Run, body: BodyOf<'wait_satisfied'>): void {
  const wait = findWait(run, body.wait);
  const entry = run.inbox.get(body.event);
  if (entry === undefined) throw damaged(run, `gives ${wait.id} the signal ${body.event}, which is not in the inbox`);
  run.inbox.delete(body.event);
  end(run, wait, { kind: 'satisfied', event: body.event });
  findScope(run, wait.scope).outputs.set(wait.node, entry.payload);
  goOn(run, wait, 'next');
}

export function waitTimedOutV1(run: Run, body: BodyOf<'wait_timed_out'>): void {
  const wait = findWait(run, body.wait);
  end(run, wait, { kind: 'elapsed' });
  goOn(run, wait, 'on_timeout');
}

export function waitCancelledV1(run: Run, body: BodyOf<'wait_cancelled'>): void {
  end(run, findWait(run, body.wait), { kind: 'cancelled' });
}

function end(run: Run, wait: Wait, status: Wait['status']): void {
  wait.status = status;
  run.pending.delete(wait.id);
  findScope(run, wait.scope).current = null;
}

/** The edge that the scope takes, if it is still open. */
function goOn(run: Run, wait: Wait, edge: 'next' | 'on_timeout'): void {
  const scope = findScope(run, wait.scope);
  const node = nodeAt(run.program, nodePointer(scope.region, wait.node));
  if (edge === 'on_timeout' && node.kind === 'wait_signal') scope.next = node.onTimeout ?? null;
  else scope.next = 'next' in node ? node.next : null;
}
