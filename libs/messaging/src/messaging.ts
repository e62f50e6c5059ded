import type { PeerProbe } from './peers.js';
import type { ChangeFeed, CommandLog, WorkQueue } from './ports.js';

/**
 * Told of everything that went wrong without a caller to throw to. `where` names the part and its subject, such as
 * `log 3` or `work forward/charge/1`. What it throws is ignored.
 */
export type OnMessagingError = (error: Error, where: string) => void;

export interface ConnectionStatus {
  readonly connected: boolean;
  /** UTC ms since when the present connection stands, null without one. */
  readonly connectedSince: number | null;
}

/** The messaging of one process: the three ports, the probe of members, and what lies beneath them. */
export interface Messaging {
  readonly log: CommandLog;
  readonly queue: WorkQueue;
  readonly feed: ChangeFeed;
  readonly peers: PeerProbe;
  status(): ConnectionStatus;
  /** Stops pulling, hands back what was not started, sends what is buffered, then closes. Closing twice is harmless. */
  close(): Promise<void>;
}

/** Calls a hook that must not break its caller, whatever it does. */
export function reportTo(onError: OnMessagingError | undefined, cause: unknown, where: string): void {
  if (onError === undefined) return;
  try {
    onError(cause instanceof Error ? cause : new Error(String(cause)), where);
  } catch (failure) {
    // A reporting hook that fails has nowhere else to report to; the process warning keeps it visible.
    process.emitWarning(`the error hook of messaging failed at ${where}: ${String(failure)}`);
  }
}
