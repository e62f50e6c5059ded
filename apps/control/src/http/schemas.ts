/** Schemas of the answers, as they stand in `components.schemas` of the OpenAPI document. A test holds answers against them. */
import { EXTENSIONS } from '@graphrun/dsl';
import { RUN_STATUSES } from '../runs/list-runs.js';
import { PROBLEMS } from './problem.js';
import { DETAIL_FIELDS, RUN_FIELDS, RUN_OPTIONAL, RUN_STATUS } from './run-schemas.js';
import { closed, count, integer, listOf, nullable, text, time } from './schema-parts.js';
import type { JsonSchema } from './shape/shape.js';

export function ref(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const definitionFields = { workflow: text, version: integer, digest: text, published_at: time };
const definition = closed(definitionFields);
const diagnostics = listOf({ $ref: '#/components/schemas/Diagnostic' });

const SCHEMA_TABLE = {
  Problem: {
    type: 'object',
    description: 'RFC 9457. Details of the problem stand beside the standard members.',
    properties: {
      type: { type: 'string', format: 'uri' },
      title: text,
      status: integer,
      detail: { type: 'string', description: 'A sentence that says what is wrong and what to do.' },
      code: { type: 'string', enum: Object.keys(PROBLEMS) },
      errors: listOf(closed({ pointer: text, message: text })),
      command_id: text,
    },
    required: ['type', 'title', 'status', 'detail', 'code'],
  },
  Diagnostic: closed({
    code: text,
    message: text,
    file: text,
    line: integer,
    column: integer,
    end_line: integer,
    end_column: integer,
    severity: { type: 'string', enum: ['error', 'warning'] },
  }),
  Validation: closed({
    valid: { type: 'boolean' },
    digest: nullable(text),
    diagnostics,
    extensions: {
      ...listOf({ type: 'string', enum: EXTENSIONS }),
      description: 'What a valid document uses beyond the original graphrun/v1.',
    },
  }),
  Catalog: closed({
    format: { const: 'graphrun.catalog/v1' },
    schemas: { type: 'object' },
    activities: listOf({ type: 'object' }),
    reconcilers: listOf({ type: 'object' }),
  }),
  CatalogPublished: closed({ schemas: listOf(text), activities: listOf(text), reconcilers: listOf(text) }),
  Definition: definition,
  DefinitionList: closed({ definitions: listOf(definition) }),
  DefinitionPublished: closed({ ...definitionFields, warnings: diagnostics }),
  DefinitionDetails: closed({
    ...definitionFields,
    artifact: { type: 'object', description: 'Definition in normal form, contracts and schemas.' },
    source: {
      ...nullable(text),
      description: 'The document as it was published first; null when that was an artifact.',
    },
    annotations: {
      type: 'object',
      description: 'Descriptions and labels, by the JSON pointer into the definition of what has them.',
      additionalProperties: closed({ description: text, labels: { type: 'object' } }, ['description', 'labels']),
    },
  }),
  Run: closed(RUN_FIELDS, RUN_OPTIONAL),
  RunDetails: closed({ ...RUN_FIELDS, ...DETAIL_FIELDS }, RUN_OPTIONAL),
  RunSummary: closed({
    run: text,
    workflow_id: text,
    workflow: text,
    version: integer,
    status: RUN_STATUS,
    start_key: nullable(text),
    created_at: time,
    ended_at: nullable(time),
  }),
  RunList: closed(
    {
      runs: listOf({ $ref: '#/components/schemas/RunSummary' }),
      cursor: nullable(text),
      counts: closed(Object.fromEntries(RUN_STATUSES.map((status) => [status, count]))),
    },
    ['counts'],
  ),
  History: closed({
    run: text,
    retained_from: integer,
    events: listOf({
      type: 'object',
      properties: { seq: integer, at: time, kind: text },
      required: ['seq', 'at', 'kind'],
    }),
    next_seq: nullable(integer),
  }),
  Reconstruction: closed({
    run: text,
    seq: { ...count, description: 'The event after which this is the state.' },
    last_seq: { ...count, description: 'The last event there is.' },
    agrees: { type: 'boolean', description: 'Checkpoint and tail give the state that all events give.' },
    state: { $ref: '#/components/schemas/RunDetails' },
  }),
  Accepted: closed(
    {
      run: text,
      workflow_id: text,
      accepted: { const: true },
      event_id: { type: 'string', description: 'Of a signal: the identity under which it was accepted.' },
    },
    ['event_id'],
  ),
  CommandResult: closed(
    {
      command_id: text,
      ok: { type: 'boolean' },
      run: text,
      workflow_id: text,
      version: integer,
      problem: { $ref: '#/components/schemas/Problem' },
    },
    ['run', 'workflow_id', 'version', 'problem'],
  ),
  PartitionList: closed({
    partitions: listOf(
      closed({
        partition: count,
        owner: nullable(text),
        epoch: count,
        incarnation: count,
        commit_no: count,
        applied_seq: count,
        lease_until: time,
        engine_time: time,
        takeovers_here: count,
        paused: { type: 'boolean' },
      }),
    ),
  }),
  WorkerList: closed({
    workers: listOf(
      closed({
        session: text,
        worker: text,
        principal: text,
        started_at: time,
        draining: { type: 'boolean' },
        running: count,
        capabilities: listOf(
          closed({
            role: text,
            activity: text,
            version: integer,
            slots: count,
            codec_version: integer,
            input_schema_digest: text,
            output_schema_digest: text,
            contract_digest: text,
          }),
        ),
        handed_back: {
          ...listOf(closed({ role: text, activity: text, version: integer, contract_digest: text, reason: text })),
          description: 'Contracts of offers that this worker does not know and handed back, the newest last.',
        },
      }),
    ),
  }),
  QuarantineList: closed({
    quarantine: listOf(
      closed({
        id: integer,
        partition: count,
        incarnation: count,
        seq: count,
        run: nullable(text),
        kind: text,
        principal: text,
        error: text,
        at: time,
      }),
    ),
  }),
  UnrecoverableList: closed({
    unrecoverable: listOf(closed({ run: text, partition: count, reason: text, since: time, attempts: count })),
  }),
  Health: closed({ status: { type: 'string', enum: ['ok', 'unavailable'] }, reasons: listOf(text) }),
} as const satisfies Readonly<Record<string, JsonSchema>>;

export type SchemaName = keyof typeof SCHEMA_TABLE;
export const SCHEMAS: Readonly<Record<SchemaName, JsonSchema>> = SCHEMA_TABLE;
