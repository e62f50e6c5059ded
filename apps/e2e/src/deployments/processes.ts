/** The processes of a deployment, as the suite needs them: they serve one API, die all at once, and come back. */
export interface Processes {
  /** Base URL of the API; the same after a crash. */
  readonly url: string;
  /** Of PostgreSQL; null where only the process itself can read its tables. */
  readonly database: string | null;
  /** SIGKILL to everything that decides and to everything that works. */
  kill(): Promise<void>;
  /** Starts again what `kill` ended; returns when it serves. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProcessesOptions {
  /** For data and logs. */
  readonly dir: string;
  readonly handlers: string;
  /** Catalog file. */
  readonly catalog: string;
  readonly env: Readonly<Record<string, string>>;
}
