/** What a scope can read, and how it binds what its nodes want. */
import type { Binding, Json, Program, Reference, SchemaRef } from '@graphrun/dsl';
import { engineFailure, Fails, type Failure } from './failure.js';
import { valueOf, type Read } from './values.js';

export interface LoopFrame {
  readonly state: Json;
  readonly index: number;
}

export interface ItemFrame {
  readonly value: Json;
  readonly index: number;
}

/** Where a scope is, and what it inherits. */
export interface Place {
  /** `nodes.each[3]`; empty for the root. */
  readonly path: string;
  readonly loop: LoopFrame | null;
  readonly item: ItemFrame | null;
  readonly insideSaga: boolean;
}

/** Stands for the id of a scope, which is a number that depends on the order in which scopes open. */
export function scopeId(path: string): string {
  return `⟨scope ${path}⟩`;
}

export class Scope {
  readonly outputs = new Map<string, Json>();
  readonly errors = new Map<string, Failure>();

  constructor(
    private readonly program: Program,
    private readonly workflowInput: Json,
    readonly input: Json,
    readonly place: Place,
  ) {}

  pathOf(key: string): string {
    return this.place.path === '' ? `nodes.${key}` : `${this.place.path}.nodes.${key}`;
  }

  /** Bindings of this scope; `loop` is that of a loop which looks at itself. */
  read(loop = this.place.loop): Read {
    return (reference) => {
      const value = this.find(reference, loop);
      if (value === undefined) throw new Error(`${reference} does not exist in the scope ${this.place.path}`);
      return value;
    };
  }

  private find(reference: Reference, loop: LoopFrame | null): Json | undefined {
    const { path, item } = this.place;
    switch (reference) {
      case 'workflow.input':
        return this.workflowInput;
      case 'scope.input':
        return this.input;
      case 'scope.id':
        return scopeId(path);
      case 'loop.state':
        return loop?.state;
      case 'loop.index':
        return loop?.index;
      case 'item.value':
        return item?.value;
      case 'item.index':
        return item?.index;
      case 'forward.input':
      case 'forward.output':
        return undefined;
      default: {
        const [, key = '', port] = reference.split('.');
        if (port === 'output') return this.outputs.get(key);
        const failure = this.errors.get(key);
        return failure && { code: failure.code, message: failure.message };
      }
    }
  }

  /** @throws Fails */
  bind(binding: Binding, schema: SchemaRef): Json {
    return bind(this.program, binding, schema, this.read());
  }

  /** @throws Fails with `binding.missing`, or `wrong` with what else is the matter. */
  integer(binding: Binding, min: number, max: number, wrong: (failure: Failure) => Error): number {
    const value = valueOf(binding, this.read());
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(engineFailure('binding.kind'));
    if (value < min || value > max) throw wrong(engineFailure('binding.range'));
    return value;
  }
}

/** @throws Fails */
export function bind(program: Program, binding: Binding, schema: SchemaRef, read: Read): Json {
  const value = valueOf(binding, read);
  if (program.validate(schema, value) !== null) throw new Fails(engineFailure('schema.invalid'));
  return value;
}
