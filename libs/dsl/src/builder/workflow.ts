/**
 * `workflow(id, version).input(...).output(...).body(...)`: a document of the language, put together with types. It is the
 * document that YAML would say, and the same compiler compiles it.
 */
import type { Catalog } from '../catalog/catalog.js';
import { compileYaml, type CompileResult } from '../compile.js';
import { printDocument } from '../print.js';
import type { Json, JsonObject } from '../value.js';
import type { Bound } from './bound.js';
import { DocumentDraft } from './document-draft.js';
import { RegionDraft } from './draft.js';
import { bindingOf, type Scalar } from './input.js';
import { annotationFields } from './node-fields.js';
import type { Described, Duration } from './options.js';
import { assembleRegion } from './path-builder.js';
import type { Ended, Output, RegionPath } from './path.js';
import type { AssembleBody } from './reusable.js';
import type { Signal } from './signal.js';
import { workflowInput } from './values.js';
import type { AnySchema, SchemaIdentity } from './witness.js';

export interface WorkflowOptions extends Described {
  /** From admission to the end of a run, up to 365d; default none. */
  readonly runTimeout?: Duration;
  /** Signals to declare although no node waits for them. */
  readonly signals?: readonly Signal<AnySchema>[];
}

/** A workflow that is put together. */
export interface Workflow<In extends AnySchema, Out extends AnySchema> {
  readonly id: string;
  readonly version: number;
  readonly inputSchema: In;
  readonly outputSchema: Out;
  /** The document, as YAML would say it: plain data. */
  readonly document: JsonObject;
  /** The document as YAML. Diagnostics point into this text. */
  readonly text: string;
  /** Compiles the document; never throws. `file` stands in diagnostics, by default `<id>.yaml`. */
  compile(options: { readonly catalog: Catalog; readonly file?: string }): CompileResult;
}

export interface InputStep {
  input<In extends AnySchema>(schema: In): OutputStep<In>;
}

export interface OutputStep<In extends AnySchema> {
  output<Out extends AnySchema>(schema: Out): BodyStep<In, Out>;
}

/** Scalars of the input by which runs can be found, by name; at most 16. */
export type SearchAttributes = { readonly [name: string]: Bound<SchemaIdentity | null, Scalar | undefined> };

export interface BodyStep<In extends AnySchema, Out extends AnySchema> {
  /** Projections of the input. Where one finds nothing, the run cannot be found by it. */
  searchAttributes(attributes: (input: Output<In>) => SearchAttributes): BodyStep<In, Out>;
  /** Puts the workflow together. Throws `BuildError` when that cannot be done. */
  body(assemble: (root: RegionPath<In, Out, 'plain', In>) => Ended): Workflow<In, Out>;
}

/** Begins a workflow. Its id and version are checked by `compile`, like all that is not a matter of types. */
export function workflow(id: string, version: number, options: WorkflowOptions = {}): InputStep {
  return {
    input: (inputSchema) => ({
      output: (outputSchema) => new WorkflowDraft({ id, version, options, inputSchema, outputSchema }, null),
    }),
  };
}

interface Header<In extends AnySchema, Out extends AnySchema> {
  readonly id: string;
  readonly version: number;
  readonly options: WorkflowOptions;
  readonly inputSchema: In;
  readonly outputSchema: Out;
}

class WorkflowDraft<In extends AnySchema, Out extends AnySchema> implements BodyStep<In, Out> {
  constructor(
    private readonly header: Header<In, Out>,
    private readonly attributes: ((input: never) => SearchAttributes) | null,
  ) {}

  searchAttributes(attributes: (input: Output<In>) => SearchAttributes): WorkflowDraft<In, Out> {
    return new WorkflowDraft(this.header, attributes);
  }

  body(assemble: (root: RegionPath<In, Out, 'plain', In>) => Ended): Workflow<In, Out> {
    const { id, version, inputSchema, outputSchema } = this.header;
    // The builder's own paths have all methods of `RegionPath`, without its types.
    const document = this.#document(assemble as AssembleBody);
    const text = printDocument(document);
    return {
      id,
      version,
      inputSchema,
      outputSchema,
      document,
      text,
      compile: ({ catalog, file = `${id}.yaml` }) => compileYaml(text, { catalog, file }),
    };
  }

  #document(assemble: AssembleBody): JsonObject {
    const { id, version, options, inputSchema, outputSchema } = this.header;
    const draft = new DocumentDraft(`"${id}"`, inputSchema.ref);
    for (const signal of options.signals ?? []) draft.declareSignal(signal);
    const region = new RegionDraft({
      title: `the workflow "${id}"`,
      document: draft,
      inputSchema: inputSchema.ref,
      outputSchema: outputSchema.ref,
      loop: null,
      item: null,
    });
    const root = assembleRegion(region, workflowInput(draft), assemble);
    return {
      dsl: 'graphrun/v1',
      id,
      version,
      ...annotationFields(options),
      ...(options.runTimeout === undefined ? {} : { run_timeout: options.runTimeout }),
      ...this.#attributes(region),
      ...root,
      ...draft.toJson(),
    };
  }

  #attributes(region: RegionDraft): JsonObject {
    if (this.attributes === null) return {};
    // It is given what its parameter says; the type is that of `searchAttributes`.
    const attributesOf = this.attributes as (input: unknown) => SearchAttributes;
    const found = Object.entries(attributesOf(workflowInput(region.document)));
    const attributes = found.map(([name, value]): [string, Json] => [
      name,
      bindingOf(value, {
        reader: `the search attribute "${name}"`,
        region,
        facts: new Set(),
        loop: null,
        item: null,
        forward: null,
      }),
    ]);
    return attributes.length === 0 ? {} : { search_attributes: Object.fromEntries(attributes) };
  }
}
