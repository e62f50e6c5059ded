/** Validation of values against one JSON Schema: Ajv's 2020 build, compiled once for each digest. */
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { canonicalize, isObject } from '../canonical.js';
import { digestOf } from '../digest.js';
import type { SchemaIssue } from '../program.js';
import type { Json } from '../value.js';
import { addExactKeywords } from './exact-keywords.js';
import { FORMAT_CHECKS } from './formats.js';

export type SchemaValidator = (value: Json) => SchemaIssue | null;

/** Not strict: annotations that Ajv does not know are allowed by JSON Schema. Defaults are annotations too. */
const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  useDefaults: false,
  addUsedSchema: false,
  logger: false,
  // V8 optimizes what runs often; Ajv's own pass takes longer than it saves.
  code: { optimize: false },
};

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

let metaAjv: Ajv2020 | undefined;

/** What is wrong with `schema` as a JSON Schema 2020-12, or null. */
export function schemaIssue(schema: Json): SchemaIssue | null {
  metaAjv ??= new Ajv2020(OPTIONS);
  const draft = isObject(schema) ? schema['$schema'] : undefined;
  if (draft !== undefined && draft !== DRAFT && draft !== `${DRAFT}#`) {
    return { pointer: '/$schema', message: `must be "${DRAFT}"` };
  }
  // The result is a promise only for asynchronous schemas, and the metaschema is not one.
  if (metaAjv.validateSchema(schema as object | boolean) === true) return null;
  return toIssue(metaAjv.errors ?? []);
}

const VALIDATORS = new Map<string, SchemaValidator>();
/** The bound only keeps a process that meets very many schemas from growing without end. */
const MAX_REMEMBERED = 2_000;

/** The validator of a schema. Throws when Ajv cannot compile it, which the catalog's rules rule out. */
export function compileSchema(schema: Json): SchemaValidator {
  const digest = digestOf(schema);
  const known = VALIDATORS.get(digest);
  if (known !== undefined) return known;
  // An instance of its own, since an instance keeps every schema it has seen, and `$id`s of different schemas may clash.
  // The catalog has held it against the metaschema already, which is the slow part.
  const own = { ownProperties: namesInherited(schema) };
  const ajv = new Ajv2020({ ...OPTIONS, ...own, meta: false, validateSchema: false });
  // Ajv throws for it, but to JSON Schema 2020-12 it is a word like any other.
  ajv.removeKeyword('id');
  for (const [format, check] of Object.entries(FORMAT_CHECKS)) ajv.addFormat(format, check);
  addExactKeywords(ajv);
  const validate: ValidateFunction = ajv.compile(withoutIdentity(schema));
  const validator: SchemaValidator = (value) => (validate(value) ? null : toIssue(validate.errors ?? []));
  if (VALIDATORS.size >= MAX_REMEMBERED) VALIDATORS.clear();
  VALIDATORS.set(digest, validator);
  return validator;
}

const INHERITED = Object.getOwnPropertyNames(Object.prototype).map((name) => JSON.stringify(name));

/**
 * Whether a schema says something of a member that every object inherits, such as `constructor`: then Ajv must look
 * whether the member is the object's own. It costs as much again as the rest, so other schemas do without.
 */
function namesInherited(schema: Json): boolean {
  const text = canonicalize(schema);
  return INHERITED.some((name) => text.includes(name));
}

/** The catalog names schemas; an `$id` would only change how Ajv resolves "#/...". */
function withoutIdentity(schema: Json): object | boolean {
  if (!isObject(schema)) return schema === true;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$id' && key !== '$schema'));
}

/** The last error is the outermost one: for a union, that no branch fits, not what the first branch minded. */
function toIssue(errors: readonly ErrorObject[]): SchemaIssue {
  const error = errors.at(-1);
  if (error === undefined) return { pointer: '', message: 'does not fit its schema' };
  return { pointer: error.instancePath, message: describe(error) };
}

function describe(error: ErrorObject): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'required':
      return `must have the member "${String(params['missingProperty'])}"`;
    case 'additionalProperties':
      return `must not have the member "${String(params['additionalProperty'])}"`;
    case 'unevaluatedProperties':
      return `must not have the member "${String(params['unevaluatedProperty'])}"`;
    case 'anyOf':
      return 'must fit one of the forms it may have';
    case 'oneOf':
      return 'must fit exactly one of the forms it may have';
    case 'enum':
      return `must be one of ${JSON.stringify(params['allowedValues'])}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    default:
      return error.message ?? 'does not fit its schema';
  }
}
