/**
 * Where the events of a run happen, as short paths: `each[17].pay`. Later events name only scopes, activations and waits;
 * what they are is remembered from the events that opened them.
 */
import type { EventView } from '@graphrun/domain';
import { count, lengthOf, text } from './fields.js';

export interface PlacedContainer {
  readonly path: string;
  readonly node: string;
  readonly kind: 'choose' | 'loop' | 'foreach' | 'parallel' | 'saga';
  /** The scope that it stands in. */
  readonly scope: string;
  /** Items or branches in all, iterations of a repeat; null when nobody knows. */
  readonly total: number | null;
  /** Bodies completed. */
  done: number;
}

interface PlacedScope {
  readonly path: string;
  /** The container whose body it is; null for the root. */
  readonly owner: string | null;
  /** The outermost loop or foreach around it; null outside of all. */
  readonly repeated: string | null;
}

/** A node in a scope. */
export interface Place {
  readonly path: string;
  readonly node: string;
  readonly scope: string;
}

const ROOT: PlacedScope = { path: '', owner: null, repeated: null };

export class Places {
  readonly #scopes = new Map<string, PlacedScope>();
  readonly #containers = new Map<string, PlacedContainer>();
  /** Nodes by activation or wait. */
  readonly #nodes = new Map<string, Place>();

  /** Remembers what the event opens. */
  note(event: EventView): void {
    switch (event.kind) {
      case 'body_opened':
        this.#openBody(text(event, 'scope'), text(event, 'owner'), count(event, 'slot') ?? 0);
        break;
      case 'choose_entered':
        this.#enter(event, 'choose', null);
        break;
      case 'loop_entered':
        this.#enter(event, 'loop', count(event, 'count'));
        break;
      case 'foreach_entered':
        this.#enter(event, 'foreach', lengthOf(event, 'items'));
        break;
      case 'parallel_entered':
        this.#enter(event, 'parallel', lengthOf(event, 'inputs'));
        break;
      case 'saga_entered':
        this.#enter(event, 'saga', null);
        break;
      case 'activity_activated':
        this.#place(text(event, 'activation'), event);
        break;
      case 'timer_set':
      case 'wait_opened':
        this.#place(text(event, 'wait'), event);
        break;
      default:
        break; // opens nothing
    }
  }

  /** What the event is about: its activation, its wait, or its node. Null for what is about the run. */
  placeOf(event: EventView): Place | null {
    const id = text(event, 'activation') || text(event, 'wait') || text(event, 'saga');
    // A compensation and a probe are shown where the activity is.
    if (id !== '') return this.#nodes.get(id.replace(/[cr]+$/, '')) ?? { path: id, node: id, scope: '' };
    const scope = text(event, 'scope');
    const node = text(event, 'node');
    return scope === '' || node === '' ? null : { path: this.#inScope(scope, node), node, scope };
  }

  /** Counts a body that the event completes, and gives its container; null for the root. */
  completeBody(event: EventView): PlacedContainer | null {
    const { owner } = this.#scopes.get(text(event, 'scope')) ?? ROOT;
    const container = owner === null ? undefined : this.#containers.get(owner);
    if (container === undefined) return null;
    container.done += 1;
    return container;
  }

  /** The outermost loop or foreach around a scope; null outside of all. */
  repeatedAround(scope: string): string | null {
    return (this.#scopes.get(scope) ?? ROOT).repeated;
  }

  #enter(event: EventView, kind: PlacedContainer['kind'], total: number | null): void {
    const id = text(event, 'activation');
    this.#containers.set(id, { ...this.#place(id, event), kind, total, done: 0 });
  }

  #place(id: string, event: EventView): Place {
    const node = text(event, 'node');
    const scope = text(event, 'scope');
    const place = { path: this.#inScope(scope, node), node, scope };
    this.#nodes.set(id, place);
    return place;
  }

  #openBody(scope: string, owner: string, slot: number): void {
    const container = this.#containers.get(owner);
    if (container === undefined) return; // its beginning was not shown
    const repeats = container.kind === 'loop' || container.kind === 'foreach';
    const path = repeats || container.kind === 'parallel' ? `${container.path}[${slot}]` : container.path;
    const repeated = this.repeatedAround(container.scope) ?? (repeats ? owner : null);
    this.#scopes.set(scope, { path, owner, repeated });
  }

  #inScope(scope: string, node: string): string {
    const { path } = this.#scopes.get(scope) ?? ROOT;
    return path === '' ? node : `${path}.${node}`;
  }
}
