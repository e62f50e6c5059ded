/** Holds documents and catalogs against the JSON Schemas that editors use. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Diagnostic } from '../diagnostic.js';
import { LANGUAGE_SCHEMAS, type LanguageSchemaKind } from '../language-schema/index.js';
import type { Json } from '../value.js';

/** Keywords that editors know and JSON Schema does not; Ajv refuses all others that it does not know. */
const EDITOR_KEYWORDS = ['errorMessage', 'enumDescriptions', 'markdownDescription', 'defaultSnippets'];

/** Diagnostics for what can be seen without looking elsewhere: fields, forms and spellings. The schema sees these too. */
export const SYNTAX_CODES: ReadonlySet<string> = new Set([
  'GR1101',
  'GR1102',
  'GR1103',
  'GR1104',
  'GR1106',
  'GR1107',
  'GR1108',
  'GR1109',
  'GR1115',
  'GR1209',
  'GR1301',
  'GR1302',
  'GR1306',
  'GR1310',
  'GR1311',
  'GR1315',
]);

const VALIDATORS = new Map<LanguageSchemaKind, ValidateFunction>();

function validatorOf(kind: LanguageSchemaKind): ValidateFunction {
  let validator = VALIDATORS.get(kind);
  if (validator === undefined) {
    const ajv = new Ajv2020({ strictTypes: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
    ajv.addVocabulary(EDITOR_KEYWORDS);
    validator = ajv.compile(LANGUAGE_SCHEMAS[kind].generate());
    VALIDATORS.set(kind, validator);
  }
  return validator;
}

/** Keywords that only repeat that something below them has failed. */
const SUMMARIES: ReadonlySet<string> = new Set(['if', 'oneOf', 'anyOf', 'propertyNames']);

/** What the schema says against a value, as `/nodes/pay required next`; nothing if it accepts it. */
export function schemaFaults(kind: LanguageSchemaKind, value: Json): readonly string[] {
  const validate = validatorOf(kind);
  if (validate(value)) return [];
  const faults = validate.errors ?? [];
  const causes = faults.filter(({ keyword }) => !SUMMARIES.has(keyword));
  return (causes.length === 0 ? faults : causes).map(({ instancePath, keyword, params }) => {
    const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>;
    return [instancePath, keyword, missingProperty ?? additionalProperty ?? []].flat().join(' ').trim();
  });
}

/**
 * Throws unless the schema accepts a text that the compiler has accepted. A region that nothing uses is not looked into by
 * the compiler, so a document with a warning about one proves nothing.
 */
export function assertAccepted(kind: LanguageSchemaKind, text: string, warnings: readonly Diagnostic[] = []): void {
  if (warnings.some(({ code }) => code === 'GR1206')) return;
  const faults = schemaFaultsOfText(kind, text);
  if (faults.length > 0) throw new Error(`The schema refuses a ${kind} that compiles: ${faults.join('; ')}`);
}

/** What the schema says against a text; one that is neither YAML nor JSON has the faults of the parser. */
export function schemaFaultsOfText(kind: LanguageSchemaKind, text: string): readonly string[] {
  let value: Json;
  try {
    value = parse(text, { logLevel: 'silent' }) as Json;
  } catch (error) {
    return [String(error)];
  }
  return schemaFaults(kind, value);
}
