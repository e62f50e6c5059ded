/** Numbers both adapters keep (spec 04 "Limits of the messaging layer"). */

/** Longest command, in UTF-8 bytes: below the default `max_payload` of a NATS server, with room for headers. */
export const MAX_COMMAND_BYTES = 896 * 1024;

/** Unapplied commands at which clients are asked to wait. */
export const CLIENT_BACKLOG = 4096;

/** Messages one partition's log holds: four times what clients may fill, so that reports still fit. */
export const LOG_CAPACITY = 4 * CLIENT_BACKLOG;

/** Delivered and not yet applied commands of a partition at which an adapter stops asking for more. */
export const READER_BACKLOG = 4096;

/** How long a backed-up reader waits before it looks at the backlog again. */
export const BACKLOG_RECHECK_MS = 10;

/** An offer that nobody acknowledged goes to somebody else after this. */
export const ACK_WAIT_MS = 3000;
