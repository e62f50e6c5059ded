/** What a script for a run of a definition must know: its activities and its waits, by their places. */
import type { ActivityRef, Binding, ConsumeFrom, Definition } from '../../ir.js';
import { nodesOf } from '../../walk.js';

export interface PlannedActivity {
  /** The node, as a JSON pointer into the definition. */
  readonly pointer: string;
  readonly activity: ActivityRef;
  /** What undoes it, if another activity does. */
  readonly compensation: ActivityRef | null;
}

export interface PlannedWait {
  /** The node, as a JSON pointer into the definition. */
  readonly pointer: string;
  readonly signal: string;
  readonly key: Binding;
  readonly timeoutMs: number | null;
  readonly consumeFrom: ConsumeFrom;
}

export function activitiesOf(definition: Definition): readonly PlannedActivity[] {
  return [...nodesOf(definition)].flatMap(({ pointer, node }) => {
    if (node.kind !== 'activity') return [];
    const { activity, compensation } = node;
    return [{ pointer, activity, compensation: compensation?.kind === 'activity' ? compensation.activity : null }];
  });
}

export function waitsOf(definition: Definition): readonly PlannedWait[] {
  return [...nodesOf(definition)].flatMap(({ pointer, node }) => {
    if (node.kind !== 'wait_signal') return [];
    const { signal, key, timeoutMs, consumeFrom } = node;
    return [{ pointer, signal, key, timeoutMs, consumeFrom }];
  });
}
