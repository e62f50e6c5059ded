/**
 * Handlers gone wrong, one for each way of it, and sound neighbours. Each is served for both versions of its contract:
 * version 1 is external and RetrySafe, version 2 is pure.
 */
import type { Json } from '@graphrun/dsl';
import { ledger } from '@graphrun/examples';
import { ActivityError, defineHandlers } from '@graphrun/sdk';
import type { ActivityContext } from '@graphrun/sdk';
import { faultyCatalogPath } from '../definitions.js';

export const catalogPath = faultyCatalogPath;

/** More than a payload may have: 256 KiB. */
const TOO_LARGE = 'x'.repeat(300 * 1024);

/** Every call stands in the ledger, so that the test knows how often the handler was really called. */
function called(activity: string, context: ActivityContext): void {
  ledger.request(context.effectKey, activity, null);
}

export const handlers = defineHandlers({
  'e2e.echo': (input: Json, context) => {
    called('e2e.echo', context);
    return input;
  },
  /** Sound; served only where a test wants it. */
  'e2e.nobody': (input: Json, context) => {
    called('e2e.nobody', context);
    return input;
  },
  /** As a crash in native code: nothing is reported, the process is gone. */
  'e2e.exit': (_input: Json, context) => {
    called('e2e.exit', context);
    process.exit(3);
  },
  /** Takes no notice of its AbortSignal either. */
  'e2e.hang': (_input: Json, context) => {
    called('e2e.hang', context);
    return new Promise<never>(() => undefined);
  },
  'e2e.wrong_shape': (_input: Json, context) => {
    called('e2e.wrong_shape', context);
    return { value: 'not a number' };
  },
  'e2e.too_large': (_input: Json, context) => {
    called('e2e.too_large', context);
    return { value: 1, note: TOO_LARGE };
  },
  /** A code that the contract does not declare. */
  'e2e.undeclared': (_input: Json, context) => {
    called('e2e.undeclared', context);
    throw new ActivityError('shop.on_fire', 'the shop is on fire');
  },
  'e2e.throws': (_input: Json, context) => {
    called('e2e.throws', context);
    throw new TypeError('total is not a function');
  },
  /** The first attempt has its effect and never reports; whoever comes after it answers at once. */
  'e2e.stuck_once': (input: Json, context) => {
    called('e2e.stuck_once', context);
    return context.attempt === 1 ? new Promise<never>(() => undefined) : input;
  },
});
