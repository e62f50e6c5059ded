/**
 * The HTTP API from a terminal. Requests are repeated on transport faults and push back; a command keeps its
 * Idempotency-Key through all repeats, so it is applied once (spec 05).
 */
import type { ErrorCode } from '@graphrun/protocol';
import { GraphrunError, newCommandId } from '@graphrun/protocol';

export interface ClientOptions {
  /** Base URL, such as `http://127.0.0.1:7070`. */
  readonly server: string;
  readonly token: string | null;
  /** How long transport faults are retried, ms. */
  readonly retryForMs: number;
  /** Told before each repeat. */
  readonly onRetry?: (reason: string) => void;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** A JSON value. */
  readonly body?: unknown;
  /** Instead of `body`: text that is sent as it is. */
  readonly text?: { readonly mediaType: string; readonly content: string };
  /** Given for commands: the id that all repeats carry. */
  readonly commandId?: string;
  /** Longer than the server may take, ms. */
  readonly timeoutMs?: number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** The API deadline is 5 s; what takes longer is a lost connection. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Codes that say "later" and nothing about the request itself. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['Unavailable', 'DeadlineExceeded']);

export class ApiClient {
  constructor(private readonly options: ClientOptions) {}

  get server(): string {
    return this.options.server;
  }

  /** A fresh id for a command of this client. */
  newCommandId(): string {
    return newCommandId();
  }

  /** The parsed answer. Throws GraphrunError with the code of the problem document; `Unavailable` when nobody answers. */
  async call<T>(request: ApiRequest): Promise<T> {
    const startedAt = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return (await this.#once(request)) as T;
      } catch (error) {
        const jittered = pauseMs * (0.5 + Math.random() / 2);
        if (
          !(error instanceof GraphrunError) ||
          !mayRepeat(error) ||
          performance.now() - startedAt + jittered > this.options.retryForMs
        ) {
          throw error;
        }
        this.options.onRetry?.(error.message);
        await new Promise((resolve) => setTimeout(resolve, jittered));
      }
    }
  }

  async #once(request: ApiRequest): Promise<unknown> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.options.token !== null) headers['authorization'] = `Bearer ${this.options.token}`;
    if (request.commandId !== undefined) headers['idempotency-key'] = request.commandId;
    const content = request.text?.content ?? (request.body === undefined ? null : JSON.stringify(request.body));
    if (content !== null) headers['content-type'] = request.text?.mediaType ?? 'application/json';
    const init: RequestInit = {
      method: request.method,
      headers,
      signal: AbortSignal.timeout(request.timeoutMs ?? ANSWER_TIMEOUT_MS),
      body: content,
    };
    const url = this.#url(request);
    let status: number;
    let text: string;
    try {
      const response = await fetch(url, init);
      status = response.status;
      text = await response.text();
    } catch (cause) {
      throw new GraphrunError('Unavailable', `No answer from ${this.options.server}: ${reasonOf(cause)}.`, { cause });
    }
    const value = parse(text, this.options.server);
    if (status < 400) return value;
    throw problemError(value, status);
  }

  #url(request: ApiRequest): URL {
    let url: URL;
    try {
      url = new URL(request.path, this.options.server);
    } catch (cause) {
      throw new GraphrunError(
        'InvalidArgument',
        `--server ${this.options.server} is not a URL; use something like http://127.0.0.1:7070.`,
        { cause },
      );
    }
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }
}

/** Push back says when to come again; a fixed limit does not, and would be met again. */
function mayRepeat(error: GraphrunError): boolean {
  if (error.code === 'ResourceExhausted') return typeof error.details['retry_after_s'] === 'number';
  return PASSING.has(error.code);
}

function parse(text: string, server: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GraphrunError('Unavailable', `${server} does not answer like a Graphrun server; check --server.`, {
      cause,
    });
  }
}

function problemError(value: unknown, status: number): GraphrunError {
  const {
    type: _type,
    title: _title,
    status: _status,
    detail,
    code,
    ...details
  } = (value ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof detail !== 'string') {
    return new GraphrunError(
      'Unavailable',
      `The server answered ${status} without a problem document; check --server.`,
    );
  }
  return new GraphrunError(code as ErrorCode, detail, { details });
}

/** Looks at the shape only: what `fetch` throws may come from another realm than this module. */
function reasonOf(thrown: unknown): string {
  const { name, message, cause } = thrown as Partial<Error>;
  if (name === 'TimeoutError') return 'it took too long';
  const { code, message: reason } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start one with "graphrun dev"';
    case 'ENOTFOUND':
      return 'the host name is not known';
    default:
      return code ?? reason ?? message ?? 'the connection failed';
  }
}
