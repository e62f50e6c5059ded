/** What passes between the worker host and a thread of its pool. Everything here survives a structured clone. */
import type { Json } from '@graphrun/dsl';
import type { AbortCause } from '../attempt-aborted.js';

export interface RunMessage {
  readonly type: 'run';
  readonly module: string;
  readonly exportName: string;
  readonly input: unknown;
  readonly effectKey: string;
  readonly attempt: number;
  readonly deadline: number;
  /** One 32-bit word, not 0 once aborted: what a computing thread can read without returning to its event loop. */
  readonly aborted: SharedArrayBuffer;
  readonly shuttingDown: boolean;
}

export type ToThread =
  | RunMessage
  | { readonly type: 'abort'; readonly why: AbortCause; readonly message: string }
  | { readonly type: 'shutdown' };

/** An error by its parts: classes do not survive the way between threads. */
export interface ThrownParts {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
  readonly why: string | null;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type FromThread =
  | { readonly type: 'returned'; readonly output: unknown }
  /** It returned what no message can carry, such as a function. */
  | { readonly type: 'unsendable'; readonly message: string }
  | { readonly type: 'threw'; readonly error: ThrownParts }
  | { readonly type: 'heartbeat'; readonly details: Json | undefined }
  | { readonly type: 'log'; readonly level: LogLevel; readonly fields: object; readonly message: string };
