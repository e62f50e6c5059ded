/**
 * A receipt means committed, and so does the answer to a publication: a session may be stricter than `on`, never
 * laxer, whatever the server's default is. Returns the backend's pid, which the apply session records.
 */
export const PREPARE_SESSION = `
  SELECT pg_backend_pid() AS pid,
         CASE WHEN current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
              THEN set_config('synchronous_commit', 'on', false) END AS raised`;
