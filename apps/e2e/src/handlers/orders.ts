/**
 * The handlers of the order example at the pace of real services: a fault must be able to meet a step before its effect
 * and between its effect and its report.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { demoHandlers, exampleCatalogPath } from '@graphrun/examples';
import { defineHandlers } from '@graphrun/sdk';
import { STEP_MS_VARIABLE } from './variables.js';

const { 'inventory.reserve/v1': reserve, 'payment.charge/v1': charge } = demoHandlers;

const stepMs = Number(process.env[STEP_MS_VARIABLE] ?? '0');

/** The ledger of the examples records the physical call in the middle of the step. */
async function step<Output>(effect: () => Output): Promise<Output> {
  if (stepMs === 0) return effect();
  await pause(stepMs / 2);
  const output = effect();
  await pause(stepMs / 2);
  return output;
}

export const catalogPath = exampleCatalogPath;

export const handlers = defineHandlers({
  'inventory.reserve/v1': (order: Parameters<typeof reserve>[0], context) => step(() => reserve(order, context)),
  'payment.charge/v1': (order: Parameters<typeof charge>[0], context) => step(() => charge(order, context)),
});
