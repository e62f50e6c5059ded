/** Handlers of the end-to-end suite: those of the examples with their effects at the provider, and its own. */
import { effects } from '@graphrun/examples';
import { ActivityError, blocking, defineHandlers } from '@graphrun/sdk';
import type { ActivityContext, HandlerMap } from '@graphrun/sdk';
import { unblock } from './block.js';
import { handlers as provided } from './provided.js';

export { reconcilers } from '@graphrun/examples';

/** Which body of the outer container a step is in, and which of the inner one. */
interface Place {
  readonly outer: number;
  readonly inner: number;
}

export const handlers: HandlerMap = defineHandlers({
  ...provided,
  /** An effect of one body; the key it answers is the address of the body's wait. */
  'e2e.step/v1': ({ outer, inner }: Place, context: ActivityContext) => {
    const output = { outer, inner, key: `${outer}-${inner}` };
    return effects.request({ activity: 'e2e.step', input: { outer, inner }, output }, context);
  },
  'e2e.undo/v1': ({ outer, inner }: Place, context: ActivityContext) =>
    effects.request({ activity: 'e2e.undo', input: { outer, inner }, output: null }, context),
  'e2e.check/v1': ({ outer, inner, ok }: Place & { readonly ok: boolean }) => {
    if (!ok) throw new ActivityError('e2e.broken', `the body ${outer}-${inner} was told to fail`);
    return { outer, inner };
  },
  'e2e.block/v1': blocking(new URL('./block.js', import.meta.url), 'block'),
  'e2e.unblock/v1': unblock,
});
