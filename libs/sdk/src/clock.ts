/** Time and timers as the worker host gets them, so that a test holds them in hand. */
export interface Clock {
  /** Wall clock, UTC ms: compared with deadlines, which the engine gives in UTC. */
  now(): number;
  /** Milliseconds that never jump, from an arbitrary start: for leases and waits. */
  monotonic(): number;
  /** Calls `action` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** Longest delay that `setTimeout` takes. No attempt lives that long (spec 06: at most 24 h). */
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
