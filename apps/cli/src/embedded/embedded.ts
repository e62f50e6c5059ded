import type { ControlPorts } from '@graphrun/control';

/** An engine that runs in this process. */
export interface Embedded {
  /** What control needs, over HTTP or in process. */
  readonly ports: ControlPorts;
  /** Finishes or hands back what runs, stops the engine, frees the directory. */
  close(): Promise<void>;
}
