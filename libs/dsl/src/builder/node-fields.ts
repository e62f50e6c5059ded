/** The fields of each node kind as a document says them, from what the builder is given (spec 01 "Nodes"). */
import type { ActivityRef } from '../ir.js';
import type { Json, JsonObject } from '../value.js';
import { bodyToJson, type BodyPlace } from './body.js';
import type { Condition } from './condition.js';
import type { RegionDraft } from './draft.js';
import { bindingOf } from './input.js';
import type { Described, Retry } from './options.js';
import type { ForwardFrame, ItemFrame, LoopFrame, Place } from './origin.js';
import type { Signal } from './signal.js';
import { forwardValues, itemValues, loopValues } from './values.js';
import type { AnySchema } from './witness.js';

/** Where a node is put: its key, its region, and what it can read. */
export interface NodePlace extends Place {
  readonly key: string;
  readonly region: RegionDraft;
}

/** The members of an object that are there: undefined is how TypeScript leaves out. */
function present(fields: { readonly [field: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export function annotationFields({ description, labels }: Described = {}): JsonObject {
  return present({ description, labels });
}

// ----------------------------------------------------------------------------------------------------- activities

export interface LooseWork {
  readonly timeout?: string;
  readonly retry?: Retry<string>;
}

type LooseCompensation =
  | (LooseWork & { readonly activity: ActivityRef; readonly input: (forward: unknown) => unknown })
  | { readonly irreversible: string };

export interface LooseActivity extends LooseWork {
  readonly compensation?: LooseCompensation;
}

export function activityFields(
  place: NodePlace,
  activity: ActivityRef,
  input: unknown,
  options: LooseActivity,
): JsonObject {
  const { compensation } = options;
  return present({
    kind: 'activity',
    activity: refOf(activity),
    input: bindingOf(input, place),
    ...workFields(options),
    compensation: compensation === undefined ? undefined : compensationFields(place, compensation),
  });
}

function refOf({ name, version }: ActivityRef): Json {
  return { name, version };
}

function workFields({ timeout, retry }: LooseWork): JsonObject {
  return present({ timeout, retry: retry === undefined ? undefined : retryFields(retry) });
}

function retryFields({ errors, maxAttempts, backoff }: Retry<string>): JsonObject {
  return present({
    errors,
    max_attempts: maxAttempts,
    backoff: backoff === undefined ? undefined : present({ ...backoff }),
  });
}

function compensationFields(place: NodePlace, compensation: LooseCompensation): JsonObject {
  if ('irreversible' in compensation) return { kind: 'irreversible', reason: compensation.irreversible };
  const forward: ForwardFrame = { node: place.key };
  const input = compensation.input(forwardValues(forward));
  const within = { ...place, reader: `the compensation of "${place.key}"`, forward };
  return {
    kind: 'activity',
    activity: refOf(compensation.activity),
    input: bindingOf(input, within),
    ...workFields(compensation),
  };
}

// ----------------------------------------------------------------------------------------------------- containers

export interface LooseBody {
  readonly input: unknown;
  readonly inputSchema: AnySchema;
  readonly outputSchema: AnySchema;
  readonly body: unknown;
}

export interface LooseChoose extends Omit<LooseBody, 'body'> {
  readonly cases: readonly (Described & {
    readonly name: string;
    readonly when: Condition;
    readonly body: unknown;
  })[];
  readonly default: unknown;
}

export interface LooseLoop {
  readonly state: unknown;
  readonly stateSchema: AnySchema;
  readonly maxIterations: number;
  readonly body: unknown;
}

export interface LooseConditionalLoop extends LooseLoop {
  readonly condition: (loop: unknown) => Condition;
}

export interface LooseRepeat extends LooseLoop {
  readonly count: unknown;
}

export interface LooseForeach {
  readonly items: unknown;
  readonly itemSchema: AnySchema;
  readonly outputSchema: AnySchema;
  readonly maxItems: number;
  readonly maxConcurrency?: number;
  readonly body: unknown;
}

/** A branch before its body is put together; `parallel` does that. */
export interface LooseBranch extends Described, LooseBody {
  readonly name: string;
}

function schemasOf({
  inputSchema,
  outputSchema,
}: Omit<LooseBody, 'body'>): Pick<BodyPlace, 'inputSchema' | 'outputSchema'> {
  return { inputSchema: inputSchema.ref, outputSchema: outputSchema.ref };
}

function bodyPlace(
  place: NodePlace,
  what: string,
  schemas: Pick<BodyPlace, 'inputSchema' | 'outputSchema'>,
): BodyPlace {
  return { title: `${what} of "${place.key}"`, user: place.reader, ...schemas };
}

export function sagaFields(place: NodePlace, options: LooseBody): JsonObject {
  return {
    kind: 'saga',
    input: bindingOf(options.input, place),
    body: bodyToJson(place.region, options.body, bodyPlace(place, 'the body', schemasOf(options))),
  };
}

export function chooseFields(place: NodePlace, options: LooseChoose): JsonObject {
  const body = (title: string, of: unknown): Json =>
    bodyToJson(place.region, of, bodyPlace(place, title, schemasOf(options)));
  return {
    kind: 'choose',
    input: bindingOf(options.input, place),
    cases: options.cases.map((entry) => ({
      name: entry.name,
      ...annotationFields(entry),
      when: entry.when.toJson(place),
      body: body(`the case "${entry.name}"`, entry.body),
    })),
    default: body('the default', options.default),
  };
}

export function loopFields(
  place: NodePlace,
  kind: 'while' | 'do_while',
  { condition, ...options }: LooseConditionalLoop,
): JsonObject {
  const loop: LoopFrame = { title: place.reader, stateSchema: options.stateSchema.ref };
  const inside = { ...place, reader: `the condition of ${place.reader}`, loop };
  return {
    kind,
    ...carryFields(place, options),
    condition: condition(loopValues(loop)).toJson(inside),
    ...iterationFields(place, options, loop),
  };
}

export function repeatFields(place: NodePlace, { count, ...options }: LooseRepeat): JsonObject {
  const loop: LoopFrame = { title: place.reader, stateSchema: options.stateSchema.ref };
  return {
    kind: 'repeat',
    count: bindingOf(count, place),
    ...carryFields(place, options),
    ...iterationFields(place, options, loop),
  };
}

function carryFields(place: NodePlace, { state, stateSchema }: LooseLoop): JsonObject {
  return { state: bindingOf(state, place), state_schema: stateSchema.ref };
}

function iterationFields(place: NodePlace, options: LooseLoop, loop: LoopFrame): JsonObject {
  const schemas = { inputSchema: options.stateSchema.ref, outputSchema: options.stateSchema.ref };
  const body = { ...bodyPlace(place, 'the body', schemas), loop };
  return {
    max_iterations: options.maxIterations,
    body: bodyToJson(place.region, options.body, body, loopValues(loop)),
  };
}

export function foreachFields(place: NodePlace, options: LooseForeach): JsonObject {
  const item: ItemFrame = { title: place.reader, itemSchema: options.itemSchema.ref };
  const schemas = { inputSchema: options.itemSchema.ref, outputSchema: options.outputSchema.ref };
  return present({
    kind: 'foreach',
    items: bindingOf(options.items, place),
    item_schema: options.itemSchema.ref,
    max_items: options.maxItems,
    max_concurrency: options.maxConcurrency,
    body: bodyToJson(place.region, options.body, { ...bodyPlace(place, 'the body', schemas), item }, itemValues(item)),
  });
}

export function parallelFields(place: NodePlace, branches: readonly LooseBranch[]): JsonObject {
  return {
    kind: 'parallel',
    branches: branches.map((branch) => ({
      name: branch.name,
      ...annotationFields(branch),
      input: bindingOf(branch.input, place),
      body: bodyToJson(place.region, branch.body, bodyPlace(place, `the branch "${branch.name}"`, schemasOf(branch))),
    })),
  };
}

// ---------------------------------------------------------------------------------------------------------- waits

export function delayFields(place: NodePlace, duration: unknown): JsonObject {
  // A plain text is a duration as a document writes it, not a literal binding.
  return { kind: 'delay', duration: typeof duration === 'string' ? duration : bindingOf(duration, place) };
}

export function waitUntilFields(place: NodePlace, at: unknown): JsonObject {
  return { kind: 'wait_until', at: bindingOf(at, place) };
}

export interface LooseWait {
  readonly key: unknown;
  readonly timeout: string | null;
  readonly consumeFrom?: string;
}

export function waitSignalFields(place: NodePlace, signal: Signal<AnySchema>, options: LooseWait): JsonObject {
  place.region.document.declareSignal(signal);
  return present({
    kind: 'wait_signal',
    signal: signal.name,
    key: bindingOf(options.key, place),
    timeout: options.timeout,
    consume_from: options.consumeFrom,
  });
}
