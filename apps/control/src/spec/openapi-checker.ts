/** Holds answers against what `/openapi.json` says of them. */
import { createRequire } from 'node:module';
import type { Answer } from './request.js';
import { ask } from './request.js';

// The validator of the language; the tools of the workspace bring older ones.
const { Ajv2020 } = createRequire(new URL('../../../../libs/dsl/package.json', import.meta.url))(
  'ajv/dist/2020.js',
) as { readonly Ajv2020: new (options: object) => Ajv };

interface Ajv {
  addSchema(schema: unknown, name: string): void;
  compile(schema: unknown): ((value: unknown) => boolean) & { readonly errors: unknown };
  validate(schema: unknown, value: unknown): boolean;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, Content>>; readonly requestBody: Content }>>
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export class OpenApiChecker {
  readonly #ajv: Ajv;

  private constructor(readonly document: OpenApi) {
    this.#ajv = new Ajv2020({ strict: false, formats: { uri: true, uuid: true, 'date-time': true } });
    this.#ajv.addSchema(document, 'openapi');
  }

  static async of(url: string): Promise<OpenApiChecker> {
    return new OpenApiChecker((await ask(url, '/openapi.json')).body as OpenApi);
  }

  /** What is wrong with the answer by the description of `template`; null when nothing is. */
  problemWith(template: string, method: 'get' | 'post', { status, headers, body }: Answer): unknown {
    const mediaType = status < 400 ? 'application/json' : 'application/problem+json';
    const described = this.document.paths[template]?.[method]?.responses[String(status)]?.content[mediaType];
    if (described === undefined) return `${status} of ${method} ${template} is not described`;
    if (headers.get('content-type')?.includes(mediaType) !== true) return `it is not ${mediaType}`;
    const validate = this.#ajv.compile({ $ref: `openapi${described.schema.$ref}` });
    return validate(body) ? null : validate.errors;
  }

  /** Whether the body is one that the operation takes. */
  takes(template: string, body: unknown): boolean {
    const schema = this.document.paths[template]?.['post']?.requestBody.content['application/json']?.schema;
    return schema !== undefined && this.#ajv.validate(schema, body);
  }
}
