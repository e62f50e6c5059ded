/**
 * Who holds the slots of a session. Each slot of an activity is at any time one of: busy (a handler runs or waits for
 * its grant), promised (a claim or report has told the engine that it is free, and an eager grant may come back), pulled
 * (the queue may deliver an offer for it), or spare. Their sum never exceeds the slots, so neither an offer nor an eager
 * grant arrives without a place (spec 04 "Work queue": hold no more unacked messages than free slots).
 *
 * At least half of what is free is pulled and only the spare rest is promised: a burst of reports never stops pulling.
 */
import type { FreeSlots, WorkKey } from '@graphrun/protocol';
import { workKeyText } from '@graphrun/protocol';

/** Promises go to the activities that were used last: naming all of a large catalog would fatten every report. */
const PROMISED_ACTIVITIES = 8;

interface KeySlots {
  readonly key: WorkKey;
  readonly size: number;
  busy: number;
  promised: number;
  pulled: number;
}

/** What one claim or report tells the engine; held until its receipt. */
export interface SlotPromise {
  readonly free: readonly FreeSlots[];
  readonly keys: readonly string[];
}

export interface SlotUse {
  readonly key: WorkKey;
  readonly size: number;
  readonly busy: number;
}

const NOTHING: SlotPromise = { free: [], keys: [] };

export class Slots {
  readonly #keys = new Map<string, KeySlots>();
  readonly #maxRunning: number;
  readonly #setFree: (key: WorkKey, slots: number) => void;
  #recent: KeySlots[] = [];
  #busy = 0;
  #promised = 0;
  #share = 0;
  #pulling = false;

  constructor(
    capacities: readonly { readonly key: WorkKey; readonly slots: number }[],
    maxRunning: number,
    setFree: (key: WorkKey, slots: number) => void,
  ) {
    for (const { key, slots } of capacities) {
      this.#keys.set(workKeyText(key), { key, size: slots, busy: 0, promised: 0, pulled: 0 });
    }
    this.#maxRunning = maxRunning;
    this.#setFree = setFree;
  }

  get busy(): number {
    return this.#busy;
  }

  /** Begins to pull, or goes on. */
  pull(): void {
    if (this.#pulling) return;
    this.#pulling = true;
    this.#refreshAll();
  }

  /** Stops pulling; what is busy stays busy. Nothing is promised meanwhile. */
  pause(): void {
    if (!this.#pulling) return;
    this.#pulling = false;
    this.#refreshAll();
  }

  /** An offer came in through the queue. True when it has a slot now; false: give it back. */
  takePulled(keyText: string): boolean {
    const slots = this.#keys.get(keyText);
    if (slots === undefined) return false;
    slots.pulled = Math.max(0, slots.pulled - 1);
    const taken = this.#pulling && this.#take(slots);
    this.#refresh(slots, true);
    return taken;
  }

  /** A grant came in. True when it has a slot now. */
  takeGranted(keyText: string): boolean {
    const slots = this.#keys.get(keyText);
    if (slots === undefined || !this.#take(slots)) return false;
    // A grant that was not promised takes a place that the queue may be filling: fewer offers may come now.
    if (slots.pulled > freeOf(slots)) this.#set(slots, this.#share, true);
    return true;
  }

  release(keyText: string): void {
    const slots = this.#keys.get(keyText);
    if (slots === undefined) return;
    slots.busy -= 1;
    this.#busy -= 1;
    this.#refresh(slots, false);
  }

  /** Promises one spare slot of each of the activities used last. */
  promise(): SlotPromise {
    if (!this.#pulling || this.#recent.length === 0) return NOTHING;
    const free: FreeSlots[] = [];
    const keys: string[] = [];
    for (const slots of this.#recent) {
      if (this.#room() <= 0) break;
      if (freeOf(slots) - slots.pulled < 1) continue;
      slots.promised += 1;
      this.#promised += 1;
      free.push({ ...slots.key, slots: 1 });
      keys.push(workKeyText(slots.key));
    }
    return { free, keys };
  }

  /**
   * The receipt of a promise is here. Its slots can be taken by the grants that came with it until `settled` runs, which
   * must be in the same turn.
   */
  redeem(promise: SlotPromise): { settled(): void } {
    for (const keyText of promise.keys) {
      const slots = this.#keys.get(keyText);
      if (slots === undefined) continue;
      slots.promised -= 1;
      this.#promised -= 1;
    }
    return {
      settled: () => {
        for (const keyText of promise.keys) {
          const slots = this.#keys.get(keyText);
          if (slots !== undefined) this.#refresh(slots, false);
        }
      },
    };
  }

  use(): readonly SlotUse[] {
    return [...this.#keys.values()].map(({ key, size, busy }) => ({ key, size, busy }));
  }

  #room(): number {
    return this.#maxRunning - this.#busy - this.#promised;
  }

  #take(slots: KeySlots): boolean {
    if (freeOf(slots) < 1 || this.#room() < 1) return false;
    slots.busy += 1;
    this.#busy += 1;
    this.#touch(slots);
    return true;
  }

  #touch(slots: KeySlots): void {
    if (this.#recent[0] === slots) return;
    this.#recent = [slots, ...this.#recent.filter((other) => other !== slots)].slice(0, PROMISED_ACTIVITIES);
  }

  /** Recomputes what is pulled for one activity, or for all when the share of the process has changed. */
  #refresh(slots: KeySlots, tell: boolean): void {
    const share = this.#shareOfEach();
    if (share !== this.#share) {
      this.#refreshAll();
      return;
    }
    this.#set(slots, share, tell);
  }

  #refreshAll(): void {
    this.#share = this.#shareOfEach();
    for (const slots of this.#keys.values()) this.#set(slots, this.#share, true);
  }

  /** What each activity may pull when all of them are equally busy: never nothing while there is any room. */
  #shareOfEach(): number {
    const room = this.#room();
    return this.#pulling && room > 0 ? Math.max(1, Math.floor(room / this.#keys.size)) : 0;
  }

  #set(slots: KeySlots, share: number, tell: boolean): void {
    const free = freeOf(slots);
    const half = Math.ceil(free / 2);
    // What is already pulled is lowered only when its place is gone: an offer may be under way to it.
    const pulled = share === 0 ? 0 : Math.max(Math.min(half, share), Math.min(slots.pulled, free));
    if (pulled === slots.pulled && !tell) return;
    slots.pulled = pulled;
    this.#setFree(slots.key, pulled);
  }
}

function freeOf(slots: KeySlots): number {
  return slots.size - slots.busy - slots.promised;
}
