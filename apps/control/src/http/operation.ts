/** One decorator that describes an operation for the OpenAPI document, from the shapes its handler reads with. */
import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '@graphrun/protocol';
import { PROBLEM_MEDIA_TYPE, PROBLEMS } from './problem.js';
import type { SchemaName } from './schemas.js';
import { ref } from './schemas.js';
import type { Field, JsonSchema, Shape } from './shape/shape.js';

interface Description {
  readonly summary: string;
  readonly description?: string;
  readonly path?: Readonly<Record<string, Shape<unknown>>>;
  readonly query?: Readonly<Record<string, Field<unknown>>>;
  readonly body?: Shape<unknown>;
  /** The body may also be the YAML text itself. */
  readonly yaml?: boolean;
  /** The request is a command: it takes an `Idempotency-Key`. */
  readonly command?: boolean;
  readonly answers: Readonly<Record<number, readonly [SchemaName, string]>>;
  /** Content types of an answer that is text and not JSON, with what it is. */
  readonly texts?: { readonly mediaTypes: readonly string[]; readonly description: string };
  readonly problems?: readonly ErrorCode[];
  /** Statuses that are more exact than those of the codes, such as 413 and 415. */
  readonly alsoStatuses?: readonly number[];
}

// @nestjs/swagger types schemas as OpenAPI 3.0; these are 3.1, which it passes through unchanged.
const swagger = (schema: JsonSchema): never => schema as never;

export function Operation(what: Description): MethodDecorator {
  const parts: MethodDecorator[] = [
    ApiOperation({
      summary: what.summary,
      description: what.description ?? '',
      ...(what.body !== undefined && { requestBody: requestBody(what.body, what.yaml === true) }),
    }),
  ];
  for (const [name, shape] of Object.entries(what.path ?? {})) {
    parts.push(ApiParam({ name, schema: swagger(shape.schema) }));
  }
  for (const [name, field] of Object.entries(what.query ?? {})) {
    parts.push(ApiQuery({ name, required: field.fallback === undefined, schema: swagger(field.shape.schema) }));
  }
  if (what.command === true) {
    parts.push(
      ApiHeader({
        name: 'Idempotency-Key',
        required: false,
        description:
          'The command id: the same id and content gets the original answer. Chosen by the server when absent.',
        schema: swagger({ type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' }),
      }),
    );
  }
  for (const [status, [schema, description]] of Object.entries(what.answers)) {
    parts.push(ApiResponse({ status: Number(status), description, schema: swagger(ref(schema)) }));
  }
  if (what.texts !== undefined) parts.push(textResponse(what.texts));
  for (const response of problemResponses(what)) parts.push(response);
  return applyDecorators(...parts);
}

/** Not by `ApiBody`, which knows one schema for all content types. */
function requestBody(shape: Shape<unknown>, yaml: boolean) {
  const yamlText = { type: 'string', description: 'The YAML document itself.' };
  return {
    required: true,
    content: {
      'application/json': { schema: swagger(shape.schema) },
      ...(yaml && { 'application/yaml': { schema: swagger(yamlText) } }),
    },
  };
}

function textResponse({ mediaTypes, description }: NonNullable<Description['texts']>): MethodDecorator {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: swagger({ type: 'string' }) }]));
  return ApiResponse({ status: 200, description, content });
}

/** Several codes may share a status; a response is described once for each status. */
function problemResponses(what: Description): MethodDecorator[] {
  const codes: ErrorCode[] = [
    'Unauthenticated',
    'PermissionDenied',
    'Internal',
    'Unavailable',
    ...(what.problems ?? []),
  ];
  const statuses = new Map<number, string>();
  for (const code of codes) statuses.set(PROBLEMS[code].status, PROBLEMS[code].title);
  for (const status of what.alsoStatuses ?? [])
    statuses.set(status, status === 413 ? 'The body is too large' : 'The content type is not accepted');
  return [...statuses].map(([status, description]) =>
    ApiResponse({ status, description, content: { [PROBLEM_MEDIA_TYPE]: { schema: swagger(ref('Problem')) } } }),
  );
}
