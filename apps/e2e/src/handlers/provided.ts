/** Handlers whose effects happen at the provider: those of the examples, and a booking that cannot say how to undo it. */
import { demoHandlers, effects } from '@graphrun/examples';
import { defineHandlers } from '@graphrun/sdk';
import type { ActivityContext, HandlerMap } from '@graphrun/sdk';

export { reconcilers } from '@graphrun/examples';

interface Booking {
  readonly value: number;
}

interface Ticket {
  readonly ticket: string;
}

export const handlers: HandlerMap = defineHandlers({
  ...demoHandlers,
  'e2e.book/v1': ({ value }: Booking, context: ActivityContext) =>
    effects.request({ activity: 'e2e.book', input: { value }, output: { value } }, context),
  'e2e.unbook/v1': ({ ticket }: Ticket, context: ActivityContext) =>
    effects.request({ activity: 'e2e.unbook', input: { ticket }, output: null }, context),
});
