/**
 * The handlers of the order example at the pace of real services: a fault must be able to meet a step before its effect
 * and between its effect and its report.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { demoHandlers, exampleCatalogPath } from '@graphrun/examples';
import type { ActivityContext, HandlerMap } from '@graphrun/sdk';
import { STEP_MS_VARIABLE } from './variables.js';

const stepMs = Number(process.env[STEP_MS_VARIABLE] ?? '0');

/** The ledger of the examples records the physical call in the middle of the step. */
function paced<Input, Output>(effect: (input: Input, context: ActivityContext) => Output | Promise<Output>) {
  return async (input: Input, context: ActivityContext): Promise<Output> => {
    if (stepMs > 0) await pause(stepMs / 2);
    const output = await effect(input, context);
    if (stepMs > 0) await pause(stepMs / 2);
    return output;
  };
}

export const catalogPath = exampleCatalogPath;

export const handlers: HandlerMap = {
  'inventory.reserve/v1': paced(demoHandlers['inventory.reserve/v1']),
  'payment.charge/v1': paced(demoHandlers['payment.charge/v1']),
};
