/** The session that apply runs in: a connection of its own on a server, the only session in embedded mode. */
export interface ApplySession {
  /** The backend of the session, connecting first if needed. */
  backendPid(): Promise<number>;
  /** Calls `graphrun.apply_v2`, in its own transaction, one call after the other. Rejects with what went wrong. */
  call(parameters: readonly (Buffer | null)[]): Promise<void>;
  close(): Promise<void>;
}
