/** The examples: a catalog, definitions over it, inputs, and handlers for all activities and reconcilers of the catalog. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Json } from '@graphrun/dsl';

export { effects, effectsAt } from './effects.js';
export type { Effect, Effects } from './effects.js';
export { EffectLedger, ledger } from './ledger.js';
export type { LedgerEntry, LedgerLine } from './ledger.js';
export { handlers, handlers as demoHandlers, reconcilers } from './handlers/index.js';
/** For activities that have no handler of their own. */
export { echo as demoFallback } from './handlers/testing.js';

/** Examples by name, with the files that make them. */
const EXAMPLES = {
  /** The order: reserve, charge, complete, with external effects. */
  sequence: { definition: 'sequence.yaml', input: 'order.json' },
  /** The same with pure activities. */
  'bench-sequence': { definition: 'bench-sequence.yaml', input: 'order.json' },
  /** The order that is undone when it is refused after the payment; `"refuse": false` lets it through. */
  saga: { definition: 'saga.yaml', input: 'saga.json' },
  /** A saga in a saga: the inner one hands over what it owes. */
  'nested-saga': { definition: 'nested-saga.yaml', input: 'saga.json' },
  /** A person decides, within three days. */
  approval: { definition: 'approval.yaml', input: 'order.json' },
  /** The tax of each of several orders, two at a time. */
  foreach: { definition: 'foreach.yaml', input: 'orders.json' },
  /** Counts up to a number. */
  while: { definition: 'while.yaml', input: 'count.json' },
  /** Two quotes at the same time. */
  parallel: { definition: 'parallel.yaml', input: 'order.json' },
  /** Waits a moment, then until a time. */
  timers: { definition: 'timers.yaml', input: 'reminder.json' },
} as const;

export type ExampleName = keyof typeof EXAMPLES;

export const exampleNames = Object.keys(EXAMPLES) as readonly ExampleName[];

function path(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url));
}

export const exampleCatalogPath = path('catalog.json');

/** With `handlers`, what makes this package a handler module for the worker service. */
export const catalogPath = exampleCatalogPath;

export function exampleDefinitionPath(name: ExampleName): string {
  return path(EXAMPLES[name].definition);
}

export function exampleInputPath(name: ExampleName): string {
  return path(EXAMPLES[name].input);
}

export function exampleCatalogText(): string {
  return readFileSync(exampleCatalogPath, 'utf8');
}

export function exampleDefinitionText(name: ExampleName): string {
  return readFileSync(exampleDefinitionPath(name), 'utf8');
}

export function exampleInput(name: ExampleName): Json {
  return JSON.parse(readFileSync(exampleInputPath(name), 'utf8')) as Json;
}
