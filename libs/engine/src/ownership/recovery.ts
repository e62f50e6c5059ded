/**
 * Brings back what a partition's runs wait for, from the wake index (spec 04 "Takeover"): each run that has not ended is
 * looked at once, through the inbox like everything else, so that no command can overtake or double it. A run that only
 * waits for a time is left where it is until then; one that only waits for somebody outside (a signal, an operator, its
 * resumption) is left altogether: whoever comes finds it by its id.
 */
import type { RunId } from '@graphrun/domain';
import type { EngineStore, WakeRow } from '@graphrun/store';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { Partition } from '../partition.js';
import type { Processor } from '../processor/processor.js';

export interface RecoveryOptions {
  readonly store: EngineStore;
  readonly processor: Processor;
  readonly dispatcher: Dispatcher;
}

const PAGE = 256;
/** Letters of `WakeRow.kinds` that mean no work for the owner. */
const WAITED_FOR_OUTSIDE = /[woh]/g;

export async function recover(partition: Partition, options: RecoveryOptions): Promise<void> {
  const { store, processor, dispatcher } = options;
  let after: RunId | null = null;
  while (partition.dropped === null) {
    const wakes: readonly WakeRow[] = await store.wakes(partition.id, after, PAGE);
    for (const { run, kinds, dueAt } of wakes) {
      const work = kinds.replace(WAITED_FOR_OUTSIDE, '');
      if (work === '') continue;
      if (work === 't' && dueAt !== null) dispatcher.recoverAt(partition, run, dueAt);
      else {
        partition.unrecovered.add(run);
        processor.accept(partition, { kind: 'recover', run });
      }
    }
    const last = wakes.at(-1);
    if (last === undefined || wakes.length < PAGE) break;
    after = last.run;
  }
  partition.wakesRead = true;
}
