/**
 * A definition as one of the many documents that mean it: defaults written or left out, schemas of bodies stated or
 * inferred, bodies in place or named under `regions`, durations in other units, with and without annotations.
 */
import { canonicalize } from '../../canonical.js';
import type { ContainerNode, Definition, Node, Region } from '../../ir.js';
import { POLICIES } from '../../limits.js';
import type { Json, JsonObject } from '../../value.js';
import type { Picks } from './picks.js';
import {
  members,
  spellAnnotation,
  spellBinding,
  spellCompensation,
  spellDelay,
  spellDuration,
  spellRoutes,
  spellSearchAttributes,
  spellWork,
  unless,
} from './spell-parts.js';

/** A document that compiles to the definition. */
export function spellDocument(definition: Definition, picks: Picks): JsonObject {
  return new Speller(picks).document(definition);
}

/** Schemas of a body that the document says elsewhere. */
interface Inferable {
  readonly input: boolean;
  readonly output: boolean;
}

const NOTHING: Inferable = { input: false, output: false };
const BOTH: Inferable = { input: true, output: true };

class Speller {
  readonly #picks: Picks;
  readonly #regions = new Map<string, { readonly name: string; readonly region: Json }>();

  constructor(picks: Picks) {
    this.#picks = picks;
  }

  document(definition: Definition): JsonObject {
    const picks = this.#picks;
    const { dsl, id, version, runTimeoutMs, signals, root } = definition;
    const written = members([
      ['dsl', dsl],
      ['id', id],
      ['version', version],
      ['run_timeout', runTimeoutMs === null ? undefined : spellDuration(runTimeoutMs, picks)],
      ['signals', signals ?? unless(true, {}, picks)],
      ['search_attributes', spellSearchAttributes(definition, picks) ?? unless(true, {}, picks)],
    ]);
    const region = this.#region(root, NOTHING);
    const named = [...this.#regions.values()].map(({ name, region: of }): [string, Json] => [name, of]);
    const regions: JsonObject = named.length === 0 ? {} : { regions: Object.fromEntries(named) };
    return { ...written, ...spellAnnotation(picks), ...region, ...regions };
  }

  #region(region: Region, inferable: Inferable): JsonObject {
    const { inputSchema, outputSchema, start, nodes } = region;
    return members([
      ['input_schema', unless(inferable.input, inputSchema, this.#picks)],
      ['output_schema', unless(inferable.output, outputSchema, this.#picks)],
      ['start', start],
      ['nodes', Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, this.#node(node)]))],
    ]);
  }

  /** In place, or under a name; an equal body may use a name that is there already. */
  #body(region: Region, inferable: Inferable): Json {
    if (!this.#picks.once(4)) return this.#region(region, inferable);
    const identity = `${canonicalize(region as unknown as Json)} ${inferable.input} ${inferable.output}`;
    let known = this.#regions.get(identity);
    if (known === undefined) {
      const spelled = this.#region(region, inferable);
      known = { name: `part.${this.#regions.size + 1}`, region: spelled };
      this.#regions.set(identity, known);
    }
    return { use: known.name };
  }

  #node(node: Node): JsonObject {
    const picks = this.#picks;
    const annotation = spellAnnotation(picks);
    const bind = (binding: Parameters<typeof spellBinding>[0]): Json => spellBinding(binding, picks);
    switch (node.kind) {
      case 'activity': {
        const { kind, activity, input, compensation, next, onError } = node;
        return members([
          ...Object.entries({ kind, ...annotation, activity: { ...activity }, input: bind(input), next }),
          ...spellWork(node, picks),
          ['compensation', compensation === undefined ? undefined : spellCompensation(compensation, picks)],
          ['on_error', spellRoutes(onError)],
        ]);
      }
      case 'delay':
        return { ...annotation, ...node, duration: spellDelay(node.duration, picks) };
      case 'wait_until':
        return { ...annotation, ...node, at: bind(node.at) };
      case 'wait_signal': {
        const { kind, signal, key, timeoutMs, consumeFrom, next, onTimeout } = node;
        return members([
          ...Object.entries({ kind, ...annotation, signal, key: bind(key), next }),
          ['timeout', timeoutMs === null ? null : spellDuration(timeoutMs, picks)],
          ['consume_from', unless(consumeFrom === 'buffered', consumeFrom, picks)],
          ['on_timeout', onTimeout],
        ]);
      }
      case 'complete':
        return { ...annotation, ...node, output: bind(node.output) };
      case 'fail':
        return { ...annotation, ...node, error: { ...node.error } };
      case 'continue_as_new':
        return { ...annotation, ...node, input: bind(node.input) };
      default: {
        const { kind, next, onError } = node;
        return members([
          ...Object.entries({ kind, ...annotation, next }),
          ...this.#container(node),
          ['on_error', spellRoutes(onError)],
        ]);
      }
    }
  }

  #container(node: ContainerNode): readonly (readonly [string, Json | undefined])[] {
    const picks = this.#picks;
    switch (node.kind) {
      case 'choose':
        return [['input', spellBinding(node.input, picks)], ...this.#choice(node)];
      case 'parallel':
        return [['branches', node.branches.map((branch) => this.#branch(branch))]];
      case 'saga':
        return [
          ['input', spellBinding(node.input, picks)],
          ['body', this.#body(node.body, NOTHING)],
        ];
      case 'foreach': {
        const { items, itemSchema, maxItems, maxConcurrency, body } = node;
        const usual = maxConcurrency === POLICIES.foreachConcurrency;
        return [
          ['items', spellBinding(items, picks)],
          ['item_schema', itemSchema],
          ['max_items', maxItems],
          ['max_concurrency', unless(usual, maxConcurrency, picks)],
          ['body', this.#body(body, { input: true, output: false })],
        ];
      }
      default: {
        const { state, stateSchema, maxIterations, body } = node;
        return [
          ['state', spellBinding(state, picks)],
          ['state_schema', stateSchema],
          ['max_iterations', maxIterations],
          node.kind === 'repeat' ? ['count', spellBinding(node.count, picks)] : ['condition', plain(node.condition)],
          ['body', this.#body(body, BOTH)],
        ];
      }
    }
  }

  /** One body says the schemas; the others may. */
  #choice({ cases, default: fallback }: Extract<ContainerNode, { kind: 'choose' }>) {
    const speaker = this.#picks.below(cases.length + 1);
    const inferable = (index: number): Inferable => (index === speaker ? NOTHING : BOTH);
    return [
      [
        'cases',
        cases.map(({ name, when, body }, index) => ({
          name,
          ...spellAnnotation(this.#picks),
          when: plain(when),
          body: this.#body(body, inferable(index)),
        })),
      ],
      ['default', this.#body(fallback, inferable(cases.length))],
    ] as const;
  }

  #branch({ name, input, body }: Extract<ContainerNode, { kind: 'parallel' }>['branches'][number]): Json {
    const annotation = spellAnnotation(this.#picks);
    return { name, ...annotation, input: spellBinding(input, this.#picks), body: this.#body(body, NOTHING) };
  }
}

/** Conditions have one spelling. */
function plain(condition: object): Json {
  return condition as unknown as Json;
}
