/** Time and timers as our processes get them, so that tests and simulations can hold them in hand. */
export type Cancel = () => void;

export interface WallClock {
  /** UTC ms. */
  now(): number;
  /** Calls `action` once after `delayMs`. Errors of `action` are the caller's to handle. */
  after(delayMs: number, action: () => void): Cancel;
}

export interface Clock extends WallClock {
  /** Milliseconds that never jump, from an arbitrary start: for leases and waits. */
  monotonic(): number;
}

/** Longest delay that `setTimeout` takes; longer ones are cut, and whoever waits looks again. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};
