/** Making an artifact ready to execute: schemas compiled once, contracts found by name, digests of contracts kept. */
import { isArray } from './canonical.js';
import { digestOf } from './digest.js';
import type { ActivityRef, Artifact, Contract, SchemaRef } from './ir.js';
import { versionedName } from './names.js';
import type { Program, SchemaIssue } from './program.js';
import { collectSchemaNames } from './schema/schema-ref.js';
import { compileSchema, type SchemaValidator } from './schema/validator.js';
import type { Json } from './value.js';

/** Throws only for artifacts that did not pass `checkArtifact`. */
export function loadProgram(artifact: Artifact): Program {
  return new LoadedProgram(artifact);
}

class LoadedProgram implements Program {
  readonly digest: string;
  readonly artifact: Artifact;
  readonly #validators = new Map<string, SchemaValidator>();
  readonly #contracts: ReadonlyMap<string, Contract>;
  readonly #contractDigests = new Map<string, string>();

  constructor(artifact: Artifact) {
    this.artifact = artifact;
    this.digest = artifact.digest;
    this.#contracts = new Map(Object.entries(artifact.contracts));
  }

  get definition(): Artifact['definition'] {
    return this.artifact.definition;
  }

  contract(ref: ActivityRef): Contract {
    const name = versionedName(ref.name, ref.version);
    const contract = this.#contracts.get(name);
    if (contract === undefined) throw new Error(`The artifact ${this.digest} does not use the activity ${name}`);
    return contract;
  }

  contractDigest(ref: ActivityRef): string {
    const name = versionedName(ref.name, ref.version);
    let digest = this.#contractDigests.get(name);
    if (digest === undefined) {
      digest = contractDigest(this.contract(ref), this.artifact.schemas);
      this.#contractDigests.set(name, digest);
    }
    return digest;
  }

  validate(ref: SchemaRef, value: Json): SchemaIssue | null {
    if (typeof ref === 'string') return this.#validator(ref)(value);
    if (!isArray(value)) return { pointer: '', message: 'must be an array' };
    if ('tuple' in ref && value.length !== ref.tuple.length) {
      return { pointer: '', message: `must have exactly ${ref.tuple.length} items` };
    }
    for (let index = 0; index < value.length; index += 1) {
      const item = 'array' in ref ? ref.array : ref.tuple[index];
      const issue = item === undefined ? null : this.validate(item, value[index] ?? null);
      if (issue !== null) return { pointer: `/${index}${issue.pointer}`, message: issue.message };
    }
    return null;
  }

  /** Compiled when first used: most runs touch few of an artifact's schemas. */
  #validator(name: string): SchemaValidator {
    let validator = this.#validators.get(name);
    if (validator === undefined) {
      const schema = Object.hasOwn(this.artifact.schemas, name) ? this.artifact.schemas[name] : undefined;
      if (schema === undefined) throw new Error(`The artifact ${this.digest} does not use the schema ${name}`);
      validator = compileSchema(schema);
      this.#validators.set(name, validator);
    }
    return validator;
  }
}

type Schemas = Readonly<Record<string, Json>>;

/** SHA-256 over a contract and the schemas it names: what worker and engine must agree on. */
export function contractDigest(contract: Contract, schemas: Schemas): string {
  const used = usedSchemas([contract.inputSchema, contract.outputSchema], schemas);
  return digestOf({ contract: contract as unknown as Json, schemas: used });
}

/** SHA-256 over what a schema reference names. */
export function schemaDigest(ref: SchemaRef, schemas: Schemas): string {
  return digestOf({ schema: ref, schemas: usedSchemas([ref], schemas) });
}

function usedSchemas(refs: readonly SchemaRef[], schemas: Schemas): Schemas {
  const names = new Set<string>();
  for (const ref of refs) collectSchemaNames(ref, names);
  return Object.fromEntries([...names].map((name): [string, Json] => [name, schemas[name] ?? null]));
}
