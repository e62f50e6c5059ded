/** The tables of `graphrun.catalog/v1` (spec 01 "Catalog"). */
import { optional, required, type FieldTable } from '../fields.js';
import { choiceSyntax, constantSyntax, SYNTAX } from '../syntax.js';

export const CATALOG_FORMAT = 'graphrun.catalog/v1';

export const CATALOG_FIELDS = {
  format: required(constantSyntax(CATALOG_FORMAT), 'The format of the catalog.'),
  schemas: optional(SYNTAX.jsonSchemas, 'JSON Schemas (2020-12) by name and version, as in "order/v1".'),
  activities: optional(SYNTAX.contracts, 'Contracts: what workers promise to do.'),
  reconcilers: optional(SYNTAX.reconcilers, 'Handlers that can tell whether an effect happened.'),
} as const satisfies FieldTable;

export const VERSIONED_NAME_FIELDS = {
  name: required(SYNTAX.name, 'The name.'),
  version: required(SYNTAX.version, 'The version, exactly.'),
} as const satisfies FieldTable;

export const CONTRACT_FIELDS = {
  ...VERSIONED_NAME_FIELDS,
  input_schema: required(SYNTAX.schemaRef, 'What goes in.'),
  output_schema: required(SYNTAX.schemaRef, 'What comes out.'),
  execution: required(choiceSyntax(['async', 'blocking']), 'Whether the handler keeps a thread busy.'),
  effects: required(choiceSyntax(['pure', 'external']), 'Whether something outside may change.'),
  recovery: required(choiceSyntax(['RetrySafe', 'Manual']), 'What may happen after an unknown outcome.'),
  error_codes: optional(SYNTAX.errorCodes, 'Codes a handler may report.'),
  reconciler: optional(
    { anyOf: [SYNTAX.activityRef, { type: 'null' }] },
    'The handler that can tell whether the effect happened; null for none.',
  ),
  description: optional(SYNTAX.text, 'What it does, for people.'),
} as const satisfies FieldTable;

export const ERROR_CODE_FIELDS = {
  code: required(SYNTAX.name, 'The code.'),
  retryable: required(SYNTAX.boolean, 'Whether a definition may retry it.'),
} as const satisfies FieldTable;

export const RECONCILER_FIELDS = {
  ...VERSIONED_NAME_FIELDS,
  forward_activity: required(SYNTAX.activityRef, 'The activity it answers for.'),
  description: optional(SYNTAX.text, 'What it does, for people.'),
} as const satisfies FieldTable;
