/**
 * Every value that a schema accepts is of its generated type, and the module is laid out as the formatter would: for
 * schemas that nobody thought of.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { format } from 'prettier';
import { canonicalize } from '../canonical.js';
import { BUILTIN_SCHEMAS } from '../catalog/builtins.js';
import { schemaIssue, compileSchema } from '../schema/validator.js';
import type { Json } from '../value.js';
import { generateModule } from './module.js';
import { typeErrors } from './testing/type-check.js';

const SCHEMAS = 120;
const VALUES = 600;
const VALUES_PER_SCHEMA = 10;
const SEED = 7;

const key = fc.constantFrom('a', 'b', 'odd-key');
const scalar = fc.constantFrom<Json>('x', 'yy', 0, 1, 1.5, true, false, null);

/** Objects. Those of values have the member `common`, which `properties` of schemas lists, for a reason given below. */
const members = (of: fc.Arbitrary<Json>): fc.Arbitrary<Record<string, Json>> =>
  fc.dictionary(key, of, { maxKeys: 3, noNullPrototype: true });

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    members(tie('value')).map((object) => ({ ...object, common: 0 })),
  ),
}));

const typeName = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'object', 'array');

const { schema } = fc.letrec<{ schema: Json }>((tie) => {
  const part = tie('schema');
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(
        fc.boolean(),
        typeName.map((type) => ({ type })),
        scalar.map((constant) => ({ const: constant })),
      ),
      // Keywords of all kinds beside each other, as no person would write them.
      fc
        .record<Record<string, Json | undefined>>(
          {
            type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
            enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: canonicalize }),
            properties: members(part).map((object) => ({ ...object, common: {} })),
            required: fc.uniqueArray(key, { maxLength: 2 }),
            additionalProperties: part,
            propertyNames: fc.uniqueArray(key, { maxLength: 2 }).map((keys) => ({ enum: [...keys, 'common'] })),
            items: part,
            prefixItems: parts,
            minItems: fc.nat(3),
            maxItems: fc.nat(3),
            anyOf: parts,
            oneOf: parts,
            allOf: parts,
            not: part,
            $ref: fc.constant('#/$defs/shared'),
          },
          { requiredKeys: [] },
        )
        // All keywords at once accept hardly anything.
        .chain((all) => fc.subarray(Object.keys(all), { maxLength: 4 }).map((some) => pick(all, some))),
    ),
  };
});

function pick(all: Readonly<Record<string, Json | undefined>>, keywords: readonly string[]): Json {
  return Object.fromEntries(keywords.map((keyword) => [keyword, all[keyword] ?? true]));
}

/** `#/$defs/shared` exists in every schema, and refers to nothing. */
function rooted(body: Json, shared: Json): Json {
  return typeof body === 'boolean' ? body : { ...(body as Record<string, Json>), $defs: { shared } };
}

function sampleOf<Value>(arbitrary: fc.Arbitrary<Value>, count: number): readonly Value[] {
  return fc.sample(arbitrary, { numRuns: count, seed: SEED });
}

const shared = fc.constantFrom<Json>({ type: ['string', 'integer'] }, { type: 'object', required: ['a'] }, {});

describe('generated types', () => {
  const values = new Map(sampleOf(value, VALUES).map((item) => [canonicalize(item), item]));
  const schemas = sampleOf(fc.tuple(schema, shared), SCHEMAS).map(([body, part]) => rooted(body, part));
  const named = Object.fromEntries(schemas.map((body, index) => [`s${index}/v1`, body]));
  const { text } = generateModule({ schemas: { ...named, ...BUILTIN_SCHEMAS }, contracts: [] });

  it('hold every value that their schema accepts', () => {
    let accepted = 0;
    const uses = schemas.flatMap((body, index) => {
      expect(schemaIssue(body)).toBeNull();
      const validate = compileSchema(body);
      const good = [...values.values()].filter((item) => validate(item) === null).slice(0, VALUES_PER_SCHEMA);
      accepted += good.length;
      // Through a variable, which may have members that the type is silent about.
      return good.map((item, number) => {
        const name = `v${index}_${number}`;
        return `const ${name} = ${JSON.stringify(item)}${item === null ? '' : ' as const'};\nexport const t${name}: S${index} = ${name};`;
      });
    });
    expect(accepted).toBeGreaterThan(SCHEMAS * 3);
    const names = schemas.map((_, index) => `S${index}`).join(', ');
    const check = `import type { ${names} } from './catalog.js';\n${uses.join('\n')}\n`;
    // (Where all members of a type are optional TypeScript suspects a value that has none of them, although it is of the
    // type; hence a member that all have.)
    expect(typeErrors({ 'catalog.ts': text, 'uses.ts': check }, { noUnusedLocals: false })).toEqual([]);
  });

  it('are laid out as the formatter would', async () => {
    const formatted = await format(text, {
      parser: 'typescript',
      printWidth: 120,
      singleQuote: true,
      trailingComma: 'all',
    });
    expect(text.split('\n')).toEqual(formatted.split('\n'));
  });
});
