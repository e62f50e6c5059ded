/**
 * Paths at work. A path holds the edges that lead to its next node; adding a node points them at it, and they are replaced
 * by the edges out of that node. Since a node is added after everything that leads to it, what is certain at it is known
 * at once, and no cycle can come about.
 */
import type { ActivityRef } from '../ir.js';
import type { Json, JsonObject } from '../value.js';
import { BuildError } from './build-error.js';
import type { OpenEdge, RegionDraft } from './draft.js';
import { bindingOf } from './input.js';
import {
  activityFields,
  annotationFields,
  chooseFields,
  delayFields,
  foreachFields,
  loopFields,
  parallelFields,
  repeatFields,
  sagaFields,
  waitSignalFields,
  waitUntilFields,
  type LooseActivity,
  type LooseBody,
  type LooseBranch,
  type LooseChoose,
  type LooseConditionalLoop,
  type LooseForeach,
  type LooseRepeat,
  type LooseWait,
  type NodePlace,
} from './node-fields.js';
import type { Described } from './options.js';
import { factOf, type Fact } from './origin.js';
import type { AssembleBody } from './reusable.js';
import type { Signal } from './signal.js';
import { nodeError, nodeOutput, scopeId, scopeInput, type Value } from './values.js';
import type { AnySchema } from './witness.js';

/** What a path's methods return where types have `Ended` and `Joined`: proofs for the type checker, nothing else. */
const ENDED = Object.freeze({});
const JOINED = Object.freeze({});

type Callback = (path: unknown, value: unknown) => unknown;

/** The ways on from a node. */
interface Ways extends Described {
  readonly onSuccess?: Callback;
  readonly onTimeout?: Callback;
  readonly onError?: readonly { readonly codes: Json; readonly then: Callback }[];
}

/** A node that was added, with what is certain when it is entered. */
interface Added {
  readonly key: string;
  readonly node: ReturnType<RegionDraft['add']>;
  readonly facts: ReadonlySet<Fact>;
}

/**
 * Open: nodes can be added. Busy: a node is being added, its callbacks run. Collecting: a tail that paths may still go
 * to. Closed: nothing can follow, for the reason given.
 */
type State =
  | { readonly kind: 'open' | 'collecting' }
  | { readonly kind: 'busy'; readonly node: string }
  | { readonly kind: 'joined' }
  | { readonly kind: 'closed'; readonly reason: string };

const OPEN: State = { kind: 'open' };

/** The region as the document says it, put together by `assemble`, which is called with its path. */
export function assembleRegion(
  region: RegionDraft,
  input: Value,
  assemble: AssembleBody,
  around?: unknown,
): JsonObject {
  const path = new PathBuilder(region, [region.entry()], OPEN);
  const scope = { input: scopeInput(region), id: scopeId(region) };
  assemble(Object.assign(path, { input, scope }), around);
  return region.toJson();
}

export class PathBuilder {
  readonly #region: RegionDraft;
  #edges: readonly OpenEdge[];
  #state: State;

  constructor(region: RegionDraft, edges: readonly OpenEdge[], state: State) {
    this.#region = region;
    this.#edges = edges;
    this.#state = state;
  }

  activity(key: string, activity: ActivityRef, input: unknown, options: LooseActivity & Ways = {}): object {
    return this.#goOn(
      this.#add(key, options, (place) => activityFields(place, activity, input, options)),
      options,
    );
  }

  choose(key: string, options: LooseChoose & Ways): object {
    return this.#goOn(
      this.#add(key, options, (place) => chooseFields(place, options)),
      options,
    );
  }

  while(key: string, options: LooseConditionalLoop & Ways): object {
    return this.#goOn(
      this.#add(key, options, (place) => loopFields(place, 'while', options)),
      options,
    );
  }

  doWhile(key: string, options: LooseConditionalLoop & Ways): object {
    return this.#goOn(
      this.#add(key, options, (place) => loopFields(place, 'do_while', options)),
      options,
    );
  }

  repeat(key: string, options: LooseRepeat & Ways): object {
    return this.#goOn(
      this.#add(key, options, (place) => repeatFields(place, options)),
      options,
    );
  }

  foreach(key: string, options: LooseForeach & Ways): object {
    return this.#goOn(
      this.#add(key, options, (place) => foreachFields(place, options)),
      options,
    );
  }

  parallel(key: string, branches: readonly LooseBranch[], options: Ways = {}): object {
    return this.#goOn(
      this.#add(key, options, (place) => parallelFields(place, branches)),
      options,
    );
  }

  branch(name: string, options: Omit<LooseBranch, 'name'>): LooseBranch {
    return { name, ...options };
  }

  saga(key: string, options: LooseBody & Ways): object {
    return this.#goOn(
      this.#add(key, options, (place) => sagaFields(place, options)),
      options,
    );
  }

  delay(key: string, duration: unknown, described?: Described): void {
    this.#goOn(
      this.#add(key, described, (place) => delayFields(place, duration)),
      {},
    );
  }

  waitUntil(key: string, at: unknown, described?: Described): void {
    this.#goOn(
      this.#add(key, described, (place) => waitUntilFields(place, at)),
      {},
    );
  }

  waitSignal(
    key: string,
    signal: Signal<AnySchema>,
    options: LooseWait & Described & { readonly onSignal?: Callback; readonly onTimeout?: Callback },
  ): object {
    const { onSignal, onTimeout } = options;
    if ((options.timeout === null) !== (onTimeout === undefined)) {
      throw new BuildError(`"${key}" has "onTimeout" exactly if its timeout is not null`);
    }
    const added = this.#add(key, options, (place) => waitSignalFields(place, signal, options));
    return this.#goOn(added, { onSuccess: onSignal, onTimeout });
  }

  complete(key: string, output: unknown, described?: Described): object {
    return this.#end(key, described, (place) => ({ kind: 'complete', output: bindingOf(output, place) }));
  }

  fail(key: string, error: { readonly code: string; readonly message: string }, described?: Described): object {
    return this.#end(key, described, () => ({ kind: 'fail', error: { code: error.code, message: error.message } }));
  }

  continueAsNew(key: string, input: unknown, described?: Described): object {
    return this.#end(key, described, (place) => ({ kind: 'continue_as_new', input: bindingOf(input, place) }));
  }

  tail(): PathBuilder {
    return new PathBuilder(this.#region, [], { kind: 'collecting' });
  }

  goTo(tail: PathBuilder): object {
    this.#requireOpen('a tail');
    if (tail.#region !== this.#region) {
      throw new BuildError(`a path in ${this.#region.title} cannot go to a tail in ${tail.#region.title}`);
    }
    if (tail.#state.kind !== 'collecting') {
      const from = this.#edges.map((edge) => edge.from).join(' and ');
      throw new BuildError(`the path ${from} comes too late to its tail, which has nodes already`);
    }
    tail.#edges = [...tail.#edges, ...this.#edges];
    this.#close('this path went to a tail');
    return ENDED;
  }

  join(): object {
    this.#requireOpen('what follows');
    this.#state = { kind: 'joined' };
    return JOINED;
  }

  /** Adds a node and leads the path to it. */
  #add(key: string, described: Described | undefined, fieldsOf: (place: NodePlace) => JsonObject): Added {
    this.#requireOpen(`"${key}"`);
    const node = this.#region.add(key);
    const facts = certain(this.#edges);
    for (const edge of this.#edges) edge.leadTo(key);
    this.#edges = [];
    this.#state = { kind: 'busy', node: key };
    const { loop, item } = this.#region;
    const { kind, ...fields } = fieldsOf({
      key,
      reader: `"${key}"`,
      region: this.#region,
      facts,
      loop,
      item,
      forward: null,
    });
    node.fields = { kind: kind ?? null, ...annotationFields(described), ...fields };
    return { key, node, facts };
  }

  #end(key: string, described: Described | undefined, fieldsOf: (place: NodePlace) => JsonObject): object {
    this.#add(key, described, fieldsOf);
    this.#close(`this path ended with "${key}"`);
    return ENDED;
  }

  /** Opens the ways on from a node. The path goes on with those that join. */
  #goOn({ key, node, facts }: Added, { onSuccess, onTimeout, onError = [] }: Ways): object {
    const region = this.#region;
    const output = nodeOutput(region, key);
    const success = region.edge(`after "${key}"`, withFact(facts, factOf(key, 'output')), (to) => {
      node.next = to;
    });
    const edges = onSuccess === undefined ? [success] : this.#follow(key, success, onSuccess, output);
    if (onTimeout !== undefined) {
      const late = region.edge(`after the timeout of "${key}"`, facts, (to) => {
        node.onTimeout = to;
      });
      edges.push(...this.#follow(key, late, onTimeout, undefined));
    }
    for (const { codes, then } of onError) {
      const route: (typeof node.onError)[number] = { codes, next: null };
      node.onError.push(route);
      const failed = region.edge(`after the failure of "${key}"`, withFact(facts, factOf(key, 'error')), (to) => {
        route.next = to;
      });
      edges.push(...this.#follow(key, failed, then, nodeError(region, key)));
    }
    this.#edges = edges;
    if (edges.length > 0) this.#state = OPEN;
    else this.#close(`no path goes on after "${key}"`);
    return edges.length > 0 ? { output } : ENDED;
  }

  /** Runs the callback of a way on; the edges that it gives back by `join`. */
  #follow(opener: string, edge: OpenEdge, callback: Callback, value: unknown): OpenEdge[] {
    const path = new PathBuilder(this.#region, [edge], OPEN);
    callback(path, value);
    if (path.#state.kind === 'open') throw new BuildError(this.#region.unfinished(path.#edges, opener));
    return path.#state.kind === 'joined' ? [...path.#edges] : [];
  }

  #requireOpen(target: string): void {
    const state = this.#state;
    if (state.kind === 'busy') {
      const advice = 'use the path that the callback was given';
      throw new BuildError(`${target} is put on a path that waits until "${state.node}" is done; ${advice}`);
    }
    if (state.kind === 'joined') throw new BuildError(`nothing leads to ${target}: this path has joined another`);
    if (state.kind === 'closed') throw new BuildError(`nothing leads to ${target}: ${state.reason}`);
    if (this.#edges.length === 0) {
      throw new BuildError(`nothing leads to ${target}: no path goes to this tail; lead one there with goTo first`);
    }
  }

  #close(reason: string): void {
    this.#edges = [];
    this.#state = { kind: 'closed', reason };
  }
}

/** What is certain where all the edges lead. */
function certain(edges: readonly OpenEdge[]): ReadonlySet<Fact> {
  const [first, ...rest] = edges.map(({ facts }) => facts);
  return new Set([...(first ?? [])].filter((fact) => rest.every((facts) => facts.has(fact))));
}

function withFact(facts: ReadonlySet<Fact>, fact: Fact): ReadonlySet<Fact> {
  return new Set(facts).add(fact);
}
