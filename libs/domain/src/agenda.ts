/**
 * What a run waits for, as its owner must index it: every non-terminal run has something here, or it would stand still
 * with nobody to wake it (spec 02 "States"). Asked after every command, so it looks at what is open only.
 */
import { isProgressDue } from './advance.js';
import { nextExpiry } from './behaviours/inbox.js';
import type { TimerName } from './commands.js';
import { askedBy, roleOf } from './ids.js';
import type { Claim, Leaf, Run } from './state.js';
import { isOpen, isTerminal, scopeOf, stopOf } from './status.js';

export interface ReadyLeaf {
  readonly leaf: Leaf;
  /** Generation that the next grant will have. */
  readonly generation: number;
  /** Attempt number that the next grant will have. */
  readonly attempt: number;
}

export interface ClaimedLeaf {
  readonly leaf: Leaf;
  readonly claim: Claim;
}

export interface DueTimer {
  readonly name: TimerName;
  /** UTC ms. */
  readonly dueAt: number;
}

export interface Agenda {
  /** Leaves to be offered to workers. */
  readonly ready: readonly ReadyLeaf[];
  /** Attempts under way, with the deadlines that the owner watches. */
  readonly claims: readonly ClaimedLeaf[];
  readonly timers: readonly DueTimer[];
  /** The owner must send `progress`. */
  readonly progressDue: boolean;
  /** Waits for signals that are open: somebody outside will wake the run. */
  readonly waiting: number;
  /** A person must say what happened. */
  readonly blocked: boolean;
  /** A person holds the run. */
  readonly paused: boolean;
  readonly terminal: boolean;
}

const ENDED: Agenda = {
  ready: [],
  claims: [],
  timers: [],
  progressDue: false,
  waiting: 0,
  blocked: false,
  paused: false,
  terminal: true,
};

export function agenda(run: Run): Agenda {
  if (isTerminal(run.status)) return ENDED;
  const ready: ReadyLeaf[] = [];
  const claims: ClaimedLeaf[] = [];
  const timers: DueTimer[] = [];
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    if (leaf === undefined) throw new Error(`open leaf ${id} of run ${run.id} does not exist`);
    const { status } = leaf;
    if (status.kind === 'claimed') claims.push({ leaf, claim: status.claim });
    else if (status.kind === 'reconciling') {
      if (status.probing.dueAt !== null) timers.push({ name: id, dueAt: status.probing.dueAt });
    }
    // What is ready or waits for a retry in a closed scope is withdrawn by the run's next progress.
    else if (!mayStart(run, leaf)) continue;
    else if (status.kind === 'ready') {
      if (run.paused === null) ready.push({ leaf, generation: status.generation, attempt: leaf.attempts + 1 });
    } else if (status.kind === 'retry_wait') timers.push({ name: id, dueAt: status.dueAt });
  }
  const waiting = addWaits(run, timers);
  if (run.deadline !== null && stopOf(run) === null) timers.push({ name: 'run', dueAt: run.deadline });
  const expiry = nextExpiry(run);
  if (expiry !== null) timers.push({ name: 'inbox', dueAt: expiry });
  return {
    ready,
    claims,
    timers,
    progressDue: isProgressDue(run),
    waiting,
    blocked: run.status.kind === 'blocked',
    paused: run.paused !== null,
    terminal: false,
  };
}

function mayStart(run: Run, leaf: Leaf): boolean {
  switch (roleOf(leaf.id)) {
    case 'forward':
      return isOpen(run, scopeOf(run, leaf));
    case 'compensation':
      return true;
    case 'reconciliation':
      return run.leaves.get(askedBy(leaf.id))?.status.kind === 'reconciling';
  }
}

/** Adds the deadlines of waits and counts those that wait for a signal. */
function addWaits(run: Run, timers: DueTimer[]): number {
  let waiting = 0;
  for (const id of run.pending) {
    const wait = run.waits.get(id);
    if (wait === undefined || run.scopes.get(wait.scope)?.status.kind !== 'open') continue;
    if (wait.for.kind === 'signal') waiting += 1;
    if (wait.dueAt !== null) timers.push({ name: id, dueAt: wait.dueAt });
  }
  return waiting;
}
