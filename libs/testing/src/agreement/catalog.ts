/** The activities of the generated workflows: every kind of effect and recovery, and functions that tell inputs apart. */
import type { ActivityRef, Json, SchemaRef } from '@graphrun/dsl';

const VALUE = {
  type: 'object',
  properties: { n: { type: 'integer' }, tag: { type: 'string' }, extra: { type: 'integer' } },
  required: ['n', 'tag'],
  additionalProperties: false,
};
/** What does not fit here is a compensation that lacks its input. */
const SMALL = {
  type: 'object',
  properties: { n: { type: 'integer', maximum: 600 } },
  required: ['n'],
  additionalProperties: false,
};

interface Kind {
  readonly effects: 'pure' | 'external';
  readonly recovery: 'RetrySafe' | 'Manual';
  readonly asks?: true;
}

const FORWARD: Readonly<Record<string, Kind>> = {
  pure: { effects: 'pure', recovery: 'RetrySafe' },
  safe: { effects: 'external', recovery: 'RetrySafe' },
  safe_asked: { effects: 'external', recovery: 'RetrySafe', asks: true },
  manual: { effects: 'external', recovery: 'Manual' },
  asked: { effects: 'external', recovery: 'Manual', asks: true },
};
export const ACTIVITIES = ['pure', 'safe', 'asked', 'manual', 'safe_asked'] as const;

const UNDOING: Readonly<Record<string, Kind>> = {
  undo: { effects: 'external', recovery: 'RetrySafe' },
  undo_pure: { effects: 'pure', recovery: 'Manual' },
  undo_manual: { effects: 'external', recovery: 'Manual' },
  undo_asked: { effects: 'external', recovery: 'Manual', asks: true },
  undo_small: { effects: 'external', recovery: 'RetrySafe' },
};
export const COMPENSATIONS = ['undo', 'undo_asked', 'undo_manual', 'undo_pure', 'undo_small'] as const;

export const RETRYABLE = ['busy', 'slow'] as const;
export const TERMINAL = ['broken'] as const;
/** Codes that activities report; the last is in no contract. */
export const REPORTED = [...RETRYABLE, ...TERMINAL, 'odd'] as const;

export const SIGNALS = ['go', 'halt'] as const;

const CONTRACTS = Object.entries({ ...FORWARD, ...UNDOING }).map(([name, { effects, recovery, asks }]) => ({
  name,
  version: 1,
  input_schema: name === 'undo_small' ? 'small/v1' : 'value/v1',
  output_schema: name in FORWARD ? 'value/v1' : 'unit/v1',
  execution: 'async',
  effects,
  recovery,
  error_codes: [
    ...RETRYABLE.map((code) => ({ code, retryable: true })),
    ...TERMINAL.map((code) => ({ code, retryable: false })),
  ],
  ...(asks ? { reconciler: { name: `ask_${name}`, version: 1 } } : {}),
}));

export const CATALOG = JSON.stringify({
  format: 'graphrun.catalog/v1',
  schemas: { 'value/v1': VALUE, 'small/v1': SMALL },
  activities: CONTRACTS,
  reconcilers: CONTRACTS.filter(({ reconciler }) => reconciler !== undefined).map(({ name, version, reconciler }) => ({
    ...reconciler,
    forward_activity: { name, version },
  })),
});

/** What an activity returns: another value for every activity and every input, mostly. */
export function perform({ name }: ActivityRef, input: Json): Json {
  if (name in UNDOING) return null;
  if (input === null || typeof input !== 'object' || !('n' in input) || typeof input.n !== 'number') {
    throw new Error(`${name} was given ${JSON.stringify(input)}`);
  }
  const n = (input.n * 7 + name.length * 31 + 1) % 1_000;
  return { n, tag: `${name} of ${input.n}`, ...(n % 3 === 0 ? { extra: n % 5 } : {}) };
}

/** An input for a compensation that could not build its own. */
export function supply(schema: SchemaRef): Json {
  return schema === 'small/v1' ? { n: 3 } : { n: 3, tag: 'supplied' };
}
