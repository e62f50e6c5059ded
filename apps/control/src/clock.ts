/** Time as control sees it: handed in, so that tests drive deadlines instead of sleeping through them. */
export interface Clock {
  /** UTC ms. */
  now(): number;
  /** Calls `action` once after `delayMs`; the returned function cancels. */
  after(delayMs: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
