/**
 * What a run waits for, as its owner must index it: every non-terminal run has something here, or it would stand still
 * with nobody to wake it (spec 02 "States"). Asked after every command, so it looks at open leaves only.
 */
import type { ActivationId } from './ids.js';
import type { Claim, Leaf, Run } from './state.js';
import { isTerminal, stopOf } from './status.js';

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
  /** The leaf that waits for its retry; null for the run's own deadline. */
  readonly activation: ActivationId | null;
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
  /** A person must say what happened. */
  readonly blocked: boolean;
  readonly terminal: boolean;
}

const ENDED: Agenda = { ready: [], claims: [], timers: [], progressDue: false, blocked: false, terminal: true };

export function agenda(run: Run): Agenda {
  if (isTerminal(run.status)) return ENDED;
  const stopping = stopOf(run) !== null;
  const ready: ReadyLeaf[] = [];
  const claims: ClaimedLeaf[] = [];
  const timers: DueTimer[] = [];
  for (const id of run.open) {
    const leaf = run.leaves.get(id);
    if (leaf === undefined) throw new Error(`open leaf ${id} of run ${run.id} does not exist`);
    const { status } = leaf;
    if (status.kind === 'claimed') claims.push({ leaf, claim: status.claim });
    // A stopping run starts nothing: what is ready or waits for a retry is withdrawn by its next progress.
    else if (stopping) continue;
    else if (status.kind === 'ready') ready.push({ leaf, generation: status.generation, attempt: leaf.attempts + 1 });
    else if (status.kind === 'retry_wait') timers.push({ activation: id, dueAt: status.dueAt });
  }
  if (run.deadline !== null && !stopping) timers.push({ activation: null, dueAt: run.deadline });
  return {
    ready,
    claims,
    timers,
    progressDue: run.progressDue,
    blocked: run.status.kind === 'blocked',
    terminal: false,
  };
}
