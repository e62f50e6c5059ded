/** What the parts of one generated definition share while it is written. */
import type { SchemaRef } from '../../ir.js';
import type { Picks } from './picks.js';

/** The kinds of step a choice may stand for; what ends a region is chosen with the region. */
export const LEAF_KINDS = ['activity', 'delay', 'wait_until', 'wait_signal'] as const;
export const CONTAINER_KINDS = ['choose', 'while', 'do_while', 'repeat', 'foreach', 'parallel', 'saga'] as const;
export type StepKind = (typeof LEAF_KINDS)[number] | (typeof CONTAINER_KINDS)[number];

/** The tree of choices that a definition is written from. */
export interface RegionChoices {
  readonly steps: readonly StepChoices[];
  readonly picks: readonly number[];
}

export interface StepChoices {
  readonly kind: StepKind;
  readonly picks: readonly number[];
  /** Choices of where it leads. */
  readonly ways: readonly number[];
  /** Bodies of a container; a body that is missing is the simplest one. */
  readonly bodies: readonly RegionChoices[];
}

export const SIMPLEST: RegionChoices = { steps: [], picks: [] };

export interface DraftLimits {
  /** Nodes of the definition; 40 by default, at least 8. */
  readonly maxNodes: number;
  /** Regions inside regions, the root being 1; 5 by default. */
  readonly maxDepth: number;
  /** How often the innermost region may run because of loops and items around it; 24 by default. */
  readonly maxRepeats: number;
}

/** What surrounds a region. */
export interface Frame {
  readonly workflowInput: SchemaRef;
  readonly loopState: SchemaRef | null;
  readonly itemValue: SchemaRef | null;
  readonly insideSaga: boolean;
  readonly isRoot: boolean;
  /** Regions around it, itself included. */
  readonly depth: number;
  /** How often it may run at most, because of the loops and items around it. */
  readonly repeats: number;
  /** How many runs of it may be under way at once: one scope, a few named branches, or any number of items. */
  readonly beside: 'nothing' | 'branches' | 'items';
}

export class Draft {
  readonly limits: DraftLimits;
  readonly usedSignals = new Set<string>();
  #nodesLeft: number;
  #waits = 0;

  constructor(limits: DraftLimits) {
    this.limits = limits;
    this.#nodesLeft = limits.maxNodes;
  }

  /** Sets nodes aside, as many as are wanted and left; the number that was. */
  takeUpTo(wanted: number): number {
    const taken = Math.min(wanted, this.#nodesLeft);
    this.#nodesLeft -= taken;
    return taken;
  }

  /** Sets nodes aside if so many are left. */
  take(wanted: number): boolean {
    if (this.#nodesLeft < wanted) return false;
    this.#nodesLeft -= wanted;
    return true;
  }

  /** A key under which no other node of the definition waits. */
  waitKey(): string {
    this.#waits += 1;
    return `wait ${this.#waits}`;
  }

  /** Repeats of a body inside a region: as many as are wanted and permitted, at least one. */
  repeats(frame: Frame, picks: Picks): number {
    const wanted = picks.of([2, 1, 3, 4]);
    return Math.max(1, Math.min(wanted, Math.floor(this.limits.maxRepeats / frame.repeats)));
  }
}
