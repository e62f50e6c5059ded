/** Generated timers and waits for signals. */
import type { Binding, DelayNode, WaitSignalNode, WaitUntilNode } from '../../ir.js';
import { integerOf } from './bindings.js';
import { SIGNALS } from './catalog.js';
import type { Site } from './site.js';

export function delayOf({ picks, places, next }: Site): DelayNode {
  const literal = picks.of([1, 10, 1_000, 90_000, 86_400_000]);
  return { kind: 'delay', duration: integerOf(literal, places, picks), next };
}

export function waitUntilOf({ picks, places, next }: Site): WaitUntilNode {
  return { kind: 'wait_until', at: integerOf(picks.of([0, 1, 1_800_000_000_000]), places, picks), next };
}

/** With a finite timeout the node still lacks the edge for it. */
export function waitSignalOf(site: Site): WaitSignalNode {
  const { picks, next, draft } = site;
  const signal = picks.of(SIGNALS);
  draft.usedSignals.add(signal);
  return {
    kind: 'wait_signal',
    signal,
    key: keyOf(site),
    timeoutMs: picks.of([null, 1_000, 300_000]),
    consumeFrom: picks.of(['buffered', 'after_activation']),
    next,
  };
}

/**
 * Two waits for one address fail, and which of them does is a matter of order. So no two that may be under way at once
 * have the same key: each node has its own, and where a node may wait several times at once, each scope has.
 */
function keyOf({ picks, places, frame, draft }: Site): Binding {
  if (frame.beside === 'items') return { from: 'scope.id' };
  const own: Binding = { literal: draft.waitKey() };
  if (frame.beside === 'branches') return picks.of<Binding>([own, { from: 'scope.id' }]);
  const texts = places.filter(
    ({ piece, from, path }) => piece === 'string' && from === 'workflow.input' && path !== '',
  );
  const [text] = texts;
  const shared: Binding = text === undefined ? own : { from: text.from, path: text.path, default: 'none' };
  return picks.of([own, { from: 'scope.id' }, shared]);
}
