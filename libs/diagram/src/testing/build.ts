/** Definitions in normal form by hand, for the tests: what a picture does not show has a value that fits. */
import type { ActivityNode, Binding, Condition, Definition, Node, Region, RetryPolicy } from '@graphrun/dsl';

const RETRY: RetryPolicy = { errors: [], maxAttempts: 5, backoff: { initialMs: 1000, multiplier: 2, maxMs: 60_000 } };
const INPUT: Binding = { from: 'scope.input' };

export function definition(id: string, root: Region): Definition {
  return { dsl: 'graphrun/v1', id, version: 1, runTimeoutMs: null, root };
}

/** Starts at the first node. */
export function region(nodes: { readonly [key: string]: Node }): Region {
  return { inputSchema: 'order/v1', outputSchema: 'order/v1', start: Object.keys(nodes)[0] ?? '', nodes };
}

type ActivityExtras = Pick<ActivityNode, 'compensation' | 'onError'>;

export function activity(name: string, next: string, extras: ActivityExtras = {}): Node {
  return {
    kind: 'activity',
    activity: { name, version: 1 },
    input: INPUT,
    timeoutMs: 300_000,
    retry: RETRY,
    next,
    ...extras,
  };
}

export function undoneBy(name: string): ActivityExtras {
  const input: Binding = { from: 'forward.output' };
  return {
    compensation: { kind: 'activity', activity: { name, version: 1 }, input, timeoutMs: 300_000, retry: RETRY },
  };
}

export function irreversible(reason: string): ActivityExtras {
  return { compensation: { kind: 'irreversible', reason } };
}

export const onError = (next: string, ...codes: readonly string[]): ActivityExtras => ({
  onError: [{ codes: codes.length === 0 ? 'any' : codes, next }],
});

export function complete(): Node {
  return { kind: 'complete', output: INPUT };
}

export function fail(code: string, message: string): Node {
  return { kind: 'fail', error: { code, message } };
}

export function saga(body: Region, next: string, extras: Pick<ActivityNode, 'onError'> = {}): Node {
  return { kind: 'saga', input: INPUT, body, next, ...extras };
}

export function parallel(bodies: { readonly [name: string]: Region }, next: string): Node {
  const branches = Object.entries(bodies).map(([name, body]) => ({ name, input: INPUT, body }));
  return { kind: 'parallel', branches, next };
}

export function choose(
  cases: { readonly [name: string]: readonly [Condition, Region] },
  otherwise: Region,
  next: string,
): Node {
  return {
    kind: 'choose',
    input: INPUT,
    cases: Object.entries(cases).map(([name, [when, body]]) => ({ name, when, body })),
    default: otherwise,
    next,
  };
}

export function foreach(body: Region, next: string): Node {
  const items: Binding = { from: 'scope.input', path: '/lines' };
  return { kind: 'foreach', items, itemSchema: 'line/v1', maxItems: 100, maxConcurrency: 8, body, next };
}

const LOOP = { state: INPUT, stateSchema: 'order/v1', maxIterations: 10 };

export function whileLoop(body: Region, next: string, condition = isMore('loop.state', '/left', 0)): Node {
  return { kind: 'while', ...LOOP, condition, body, next };
}

export function doWhileLoop(body: Region, next: string): Node {
  return { kind: 'do_while', ...LOOP, condition: isMore('loop.state', '/left', 0), body, next };
}

export function repeat(body: Region, next: string): Node {
  return { kind: 'repeat', ...LOOP, count: { from: 'scope.input', path: '/times' }, body, next };
}

export function delay(durationMs: number, next: string): Node {
  return { kind: 'delay', duration: { literal: durationMs }, next };
}

export function waitUntil(next: string): Node {
  return { kind: 'wait_until', at: { from: 'scope.input', path: '/not_before' }, next };
}

/** Without a second target it waits for ever. */
export function waitSignal(signal: string, next: string, onTimeout?: string): Node {
  const key: Binding = { from: 'scope.input', path: '/order_id' };
  const waits = { kind: 'wait_signal', signal, key, consumeFrom: 'buffered', next } as const;
  return onTimeout === undefined ? { ...waits, timeoutMs: null } : { ...waits, timeoutMs: 900_000, onTimeout };
}

export function is(from: 'scope.input' | 'loop.state', path: string, literal: string): Condition {
  return { eq: [{ from, path }, { literal }] };
}

export function isMore(from: 'scope.input' | 'loop.state', path: string, literal: number): Condition {
  return { gt: [{ from, path }, { literal }] };
}
