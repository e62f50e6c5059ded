/** Holds documents and catalogs against the JSON Schemas that editors use. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { LANGUAGE_SCHEMAS, type LanguageSchemaKind } from '../language-schema/index.js';
import type { Json } from '../value.js';

/** Keywords that editors know and JSON Schema does not; Ajv refuses all others that it does not know. */
const EDITOR_KEYWORDS = ['errorMessage', 'enumDescriptions', 'markdownDescription', 'defaultSnippets'];

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

/** What the schema says against a value, as `pointer message`; nothing if it accepts it. */
export function schemaFaults(kind: LanguageSchemaKind, value: Json): readonly string[] {
  const validate = validatorOf(kind);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

/** The same for a text; a text that is neither YAML nor JSON has the faults of the parser. */
export function schemaFaultsOfText(kind: LanguageSchemaKind, text: string): readonly string[] {
  let value: Json;
  try {
    value = parse(text, { logLevel: 'silent' }) as Json;
  } catch (error) {
    return [String(error)];
  }
  return schemaFaults(kind, value);
}
