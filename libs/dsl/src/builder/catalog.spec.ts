import { describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { z } from 'zod';
import { catalogDigest } from '../codegen/catalog-digest.js';
import { typeErrors } from '../codegen/testing/type-check.js';
import { BUMP, catalogOf, compile } from '../testing/order-catalog.js';
import type { Json } from '../value.js';
import { activity, catalog, CatalogError, schemaFrom } from './catalog.js';
import { arrayOf, builtin, schema, tupleOf } from './witness.js';

const HAND_WRITTEN = catalogOf(
  JSON.stringify({
    format: 'graphrun.catalog/v1',
    schemas: {
      'order/v1': {
        type: 'object',
        required: ['id', 'amount', 'placed_at', 'lines'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', format: 'uuid' },
          amount: { type: 'integer', minimum: 0 },
          placed_at: { type: 'string', format: 'date-time' },
          lines: {
            type: 'array',
            items: {
              type: 'array',
              prefixItems: [{ type: 'string' }, { type: 'integer' }],
              items: false,
              minItems: 2,
              maxItems: 2,
            },
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          note: { type: 'string', maxLength: 80 },
        },
      },
      'receipt/v1': {
        type: 'object',
        required: ['payment_id'],
        additionalProperties: false,
        properties: { payment_id: { type: 'string', minLength: 1 } },
      },
    },
    activities: [
      {
        name: 'payment.charge',
        version: 2,
        input_schema: 'order/v1',
        output_schema: 'receipt/v1',
        execution: 'async',
        effects: 'external',
        recovery: 'Manual',
        error_codes: [
          { code: 'declined', retryable: false },
          { code: 'bank.unavailable', retryable: true },
        ],
        reconciler: { name: 'payment.lookup', version: 1 },
      },
      {
        name: 'order.total',
        version: 1,
        input_schema: { array: 'order/v1' },
        output_schema: { tuple: ['integer/v1', 'string/v1'] },
        execution: 'blocking',
        effects: 'pure',
        recovery: 'RetrySafe',
        error_codes: [],
      },
    ],
    reconcilers: [{ name: 'payment.lookup', version: 1, forward_activity: { name: 'payment.charge', version: 2 } }],
  }),
);

const zod = {
  Order: schemaFrom(
    'order/v1',
    z.object({
      id: z.uuid(),
      amount: z.int().min(0),
      placed_at: z.iso.datetime({ offset: true }),
      lines: z.array(z.tuple([z.string(), z.int()])),
      labels: z.record(z.string(), z.string()).optional(),
      note: z.string().max(80).optional(),
    }),
  ),
  Receipt: schemaFrom('receipt/v1', z.object({ payment_id: z.string().min(1) })),
};

const closed = { additionalProperties: false };
const typeBox = {
  Order: schemaFrom(
    'order/v1',
    Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        amount: Type.Integer({ minimum: 0 }),
        placed_at: Type.String({ format: 'date-time' }),
        lines: Type.Array(Type.Tuple([Type.String(), Type.Integer()])),
        labels: Type.Optional(Type.Record(Type.String(), Type.String())),
        note: Type.Optional(Type.String({ maxLength: 80 })),
      },
      closed,
    ),
  ),
  Receipt: schemaFrom('receipt/v1', Type.Object({ payment_id: Type.String({ minLength: 1 }) }, closed)),
};

const json = (name: string): Json => HAND_WRITTEN.schemas[name] ?? null;
const plain = {
  Order: schema<unknown, 'order/v1'>('order/v1', json('order/v1')),
  Receipt: schema<unknown, 'receipt/v1'>('receipt/v1', json('receipt/v1')),
};

type Witnesses = typeof zod | typeof typeBox | typeof plain;

function shopOf({ Order, Receipt }: Witnesses) {
  const charge = activity({
    name: 'payment.charge',
    version: 2,
    input: Order,
    output: Receipt,
    effects: 'external',
    recovery: 'Manual',
    errors: { declined: { retryable: false }, 'bank.unavailable': { retryable: true } },
    reconciler: { name: 'payment.lookup', version: 1 },
    description: 'Takes the money.',
  });
  const total = activity({
    name: 'order.total',
    version: 1,
    // Only the reference matters here.
    input: { ref: { array: Order.ref } },
    output: tupleOf(builtin.integer, builtin.string),
    execution: 'blocking',
    effects: 'pure',
    recovery: 'RetrySafe',
  });
  return catalog({
    activities: [charge, total],
    reconcilers: [{ name: 'payment.lookup', version: 1, forwardActivity: charge }],
  });
}

describe('a catalog in code', () => {
  it.each<readonly [string, Witnesses]>([
    ['Zod', zod],
    ['TypeBox', typeBox],
    ['JSON Schemas', plain],
  ])('from %s is the same as by hand', (_library, witnesses) => {
    const { document, ...declared } = shopOf(witnesses);
    expect(declared).toEqual(HAND_WRITTEN);
    expect(catalogDigest(declared)).toBe(catalogDigest(HAND_WRITTEN));
    expect(catalogOf(JSON.stringify(document))).toEqual(HAND_WRITTEN);
  });

  it('is a document that keeps what people wrote', () => {
    expect(shopOf(zod).document['activities']).toMatchObject([{ description: 'Takes the money.' }, {}]);
  });

  it('compiles definitions', () => {
    const Counter = schemaFrom('counter/v1', z.object({ value: z.int() }));
    const increment = activity({
      name: 'counter.increment',
      version: 1,
      input: Counter,
      output: Counter,
      effects: 'pure',
      recovery: 'RetrySafe',
    });
    const byCode = compile(BUMP, catalog({ activities: [increment] }));
    expect(byCode).toMatchObject({ ok: true, artifact: { contracts: { 'counter.increment/v1': increment.contract } } });
  });

  it('is empty without parts', () => {
    expect(catalog({}).document).toEqual({
      format: 'graphrun.catalog/v1',
      schemas: {},
      activities: [],
      reconcilers: [],
    });
  });

  const Text = schema<string, 'text/v1'>('text/v1', { type: 'string' });
  const work = { version: 1, input: Text, output: Text, effects: 'pure', recovery: 'RetrySafe' } as const;

  it('takes a schema that is declared again with the same JSON once', () => {
    const again = schema<string, 'text/v1'>('text/v1', { type: 'string' });
    const declared = catalog({ schemas: [Text, again, builtin.unit], activities: [activity({ name: 'a', ...work })] });
    expect(declared.document['schemas']).toEqual({ 'text/v1': { type: 'string' } });
  });

  it.each([
    [
      'a schema that is declared twice',
      () => catalog({ schemas: [Text, schema<string, 'text/v1'>('text/v1', { type: 'string', minLength: 1 })] }),
      '/schemas: GR1607 the schema "text/v1" is declared twice, with different JSON Schemas',
    ],
    [
      'a witness without its JSON Schema',
      () => catalog({ schemas: [schema<string, 'text/v1'>('text/v1')] }),
      '/schemas: GR1401 the witness of "text/v1" has no JSON Schema; make it with schemaFrom, or schema(name, json)',
    ],
    [
      'the witness of an array',
      () => catalog({ schemas: [arrayOf(Text)] }),
      '/schemas: GR1402 the catalog lists named schemas; what arrays and tuples are made of is listed by itself',
    ],
    [
      'a schema that nobody declares',
      () => catalog({ activities: [activity({ name: 'a', ...work, input: arrayOf(Text), output: builtin.unit })] }),
      '/activities/0/input_schema/array: GR1401 the catalog has no schema "text/v1"',
    ],
    [
      'a schema outside of the language',
      () => catalog({ schemas: [schema<string, 'text/v1'>('text/v1', { type: 'string', pattern: 'x' })] }),
      '/schemas/text~1v1/pattern: GR1603 "pattern" is not allowed: regular expressions can take for ever; use "enum", "const" or "format"',
    ],
    [
      'an activity that is declared twice',
      () => catalog({ activities: [activity({ name: 'a', ...work }), activity({ name: 'a', ...work })] }),
      '/activities/1/name: GR1607 the activity a/v1 is declared twice',
    ],
    [
      'a name that is none',
      () => catalog({ activities: [activity({ name: 'a b', ...work })] }),
      '/activities/0/name: GR1106 ',
    ],
    [
      'a reconciler that nobody declares',
      () => catalog({ activities: [activity({ name: 'a', ...work, reconciler: { name: 'b', version: 1 } })] }),
      '/activities/0/reconciler: GR1608 the catalog has no reconciler b/v1',
    ],
  ])('refuses %s', (_what, declare, message) => {
    expect(declare).toThrow(CatalogError);
    expect(declare).toThrow(`the catalog is refused: ${message}`);
  });

  it('says all that is wrong', () => {
    const faulty = activity({
      name: 'a',
      ...work,
      input: schema<string, 'x/v1'>('x/v1'),
      output: schema<string, 'y/v1'>('y/v1'),
    });
    expect(() => catalog({ activities: [faulty] })).toThrow(
      'the catalog is refused:\n  /activities/0/input_schema: GR1401 the catalog has no schema "x/v1"\n  /activities/0/output_schema: GR1401 the catalog has no schema "y/v1"',
    );
  });

  it('has positive versions', () => {
    expect(() => activity({ name: 'a', ...work, version: 0 })).toThrow(TypeError);
  });
});

describe('the types of a catalog in code', () => {
  const shop = `import { Type } from '@sinclair/typebox';
import { z } from 'zod';
import { activity, schemaFrom } from '@graphrun/dsl/builder';
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const Order = schemaFrom('order/v1', z.object({ id: z.uuid(), note: z.string().default('none') }));
export const Receipt = schemaFrom('receipt/v1', Type.Object({ id: Type.String(), lines: Type.Optional(Type.Array(Type.Integer())) }));
export const charge = activity({
  name: 'payment.charge',
  version: 1,
  input: Order,
  output: Receipt,
  effects: 'external',
  recovery: 'Manual',
  errors: { declined: { retryable: false }, busy: { retryable: true }, slow: { retryable: true } },
});
`;
  const head = `
import { activity, catalog, schemaFrom, schemaFromJson, type IdentityOf, type ValueOf } from '@graphrun/dsl/builder';
import { charge, Order, Receipt, type Same } from './shop.js';
`;
  /** Errors of pieces of code, each on its own, as `number TScode`. */
  const check = (...pieces: readonly string[]): readonly string[] => {
    const modules: Record<string, string> = { 'shop.ts': shop };
    for (const [index, code] of pieces.entries()) modules[`use${index}.ts`] = head + code;
    const errors = typeErrors(modules, { noUnusedLocals: false, declaration: false, verbatimModuleSyntax: false });
    return errors.map((error) => error.replace(/^use(\d+)\.ts:\d+ (TS\d+).*$/, '$1 $2'));
  };

  it('are those of the library, and of the contract', () => {
    expect(
      check(`
export const identity: Same<IdentityOf<typeof Order>, 'order/v1'> = true;
export const value: Same<ValueOf<typeof Order>, { id: string; note: string }> = true;
export const receipt: Same<ValueOf<typeof Receipt>, { id: string; lines?: number[] }> = true;
export const said: Same<ValueOf<ReturnType<typeof say>>, 1 | 2> = true;
const say = () => schemaFromJson<1 | 2>()('n/v1', { enum: [1, 2] });
export const input: Same<(typeof charge)['input'], typeof Order> = true;
export const output: Same<(typeof charge)['output'], typeof Receipt> = true;
export const effects: Same<(typeof charge)['effects'], 'external'> = true;
export const retryable: Same<(typeof charge)['retryable'][number], 'busy' | 'slow'> = true;
export const errors: Same<(typeof charge)['errors'][number], 'declined' | 'busy' | 'slow'> = true;
export const none = activity({ name: 'a', version: 1, input: Order, output: Order, effects: 'pure', recovery: 'RetrySafe' });
export const noErrors: Same<(typeof none)['errors'][number], never> = true;
export const noRetry: Same<(typeof none)['retryable'][number], never> = true;
export const declared = catalog({
  schemas: [Order, Receipt],
  activities: [charge, none],
  reconcilers: [{ name: 'lookup', version: 1, forwardActivity: charge }],
});
`),
    ).toEqual([]);
  });

  it('refuse what is not a schema, an activity or a part of a contract', () => {
    expect(
      check(
        `export const wrong = schemaFrom('a/v1', { type: 'string' });`,
        `export const wrong = schemaFrom('a/v1', 'string');`,
        `export const wrong: typeof Order = Receipt;`,
        `export const wrong: ValueOf<typeof Order> = { id: 'x' };`,
        `export const wrong = activity({ ...charge, recovery: 'Perhaps', errors: {} });`,
        `export const wrong = activity({ name: 'a', version: 1, input: Order, output: Order, effects: 'some', recovery: 'Manual' });`,
        `export const wrong = catalog({ activities: [Order] });`,
        `export const wrong = catalog({ schemas: ['order/v1'] });`,
      ),
    ).toEqual(['0 TS2353', '1 TS2345', '2 TS2375', '3 TS2741', '4 TS2322', '5 TS2322', '6 TS2740', '7 TS2322']);
  });
});
