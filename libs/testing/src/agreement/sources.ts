/** What a node of a generated region can read, and bindings to it. All of it is, or holds, a `value/v1`. */
import type { Picks } from './picks.js';

/** A node or a part of one, as a document has it. */
export interface Part {
  readonly [field: string]: unknown;
}

/** What a node leaves: nothing, one value, so many of them as a tuple, or any number of them. */
export type Output = 'nothing' | 'value' | 'list' | { readonly tuple: number };

/** A place where a value is; `sure` when there is always one. */
interface Place {
  readonly from: string;
  readonly path: string;
  readonly sure: boolean;
}

const DEFAULT = { n: 5, tag: 'default' };

export class Sources {
  private readonly places: readonly Place[];

  constructor(
    private readonly around: { readonly loop: boolean; readonly item: boolean },
    private readonly outputs: ReadonlyMap<string, Output> = new Map(),
    private readonly errors: ReadonlySet<string> = new Set(),
  ) {
    this.places = [
      { from: 'scope.input', path: '', sure: true },
      { from: 'workflow.input', path: '', sure: true },
      ...(around.loop ? [{ from: 'loop.state', path: '', sure: true }] : []),
      ...(around.item ? [{ from: 'item.value', path: '', sure: true }] : []),
      ...[...outputs].flatMap(([key, output]) => placesOf(`nodes.${key}.output`, output)),
    ].reverse();
  }

  with(key: string, output: Output): Sources {
    return new Sources(this.around, new Map([...this.outputs, [key, output]]), this.errors);
  }

  withError(key: string): Sources {
    return new Sources(this.around, this.outputs, new Set([...this.errors, key]));
  }

  /** What is there on both ways. */
  common(other: Sources): Sources {
    const outputs = [...this.outputs].filter(([key]) => other.outputs.has(key));
    const errors = [...this.errors].filter((key) => other.errors.has(key));
    return new Sources(this.around, new Map(outputs), new Set(errors));
  }

  /** A binding to a value; the last that came about is the simplest choice. */
  value(picks: Picks): Part {
    const place = this.place(picks);
    switch (picks.below(9)) {
      case 4:
        return { object: { n: this.member('n', picks), tag: this.member('tag', picks) } };
      case 5:
        return { object: { n: { literal: picks.below(9) }, tag: { from: 'scope.id' } } };
      case 6:
        return { object: { n: this.extra(picks), tag: { literal: 'from extra' } } };
      case 7:
        return { object: { n: this.index(picks), tag: this.member('tag', picks) } };
      case 8:
        return { object: { n: this.member('n', picks), tag: this.error(picks) } };
      default:
        return place;
    }
  }

  /** A list of values, or the output of a `foreach`. */
  values(most: number, picks: Picks): Part {
    const lists = [...this.outputs].filter(([, output]) => output === 'list').map(([key]) => `nodes.${key}.output`);
    const list = lists[picks.below(lists.length + 1) - 1];
    if (list !== undefined) return { from: list };
    return { array: Array.from({ length: picks.below(most + 1) }, () => this.value(picks)) };
  }

  /** The number `n` of a value. */
  number(picks: Picks): Part {
    return this.member('n', picks);
  }

  /** A number that is often not there. */
  extra(picks: Picks): Part {
    const binding = this.member('extra', picks);
    return picks.below(10) === 9 ? binding : { ...binding, default: 2 };
  }

  condition(picks: Picks): Part {
    switch (picks.below(5)) {
      case 0:
        return { lt: [this.number(picks), { literal: 500 }] };
      case 1:
        return { exists: this.memberOf(this.surely(picks), 'extra') };
      case 2:
        return { eq: [this.member('tag', picks), { literal: 'supplied' }] };
      case 3:
        return {
          any: [{ ge: [this.extra(picks), { literal: 2 }] }, { not: { le: [this.number(picks), { literal: 300 }] } }],
        };
      default:
        return { all: [{ ne: [this.index(picks), { literal: 1 }] }, { gt: [this.number(picks), { literal: 100 }] }] };
    }
  }

  private place(picks: Picks): Part {
    const { from, path, sure } = this.places[picks.below(this.places.length)] ?? {
      from: 'scope.input',
      path: '',
      sure: true,
    };
    return { from, ...(path === '' ? {} : { path }), ...(sure ? {} : { default: DEFAULT }) };
  }

  private surely(picks: Picks): Place {
    const sure = this.places.filter((place) => place.sure);
    return sure[picks.below(sure.length)] ?? { from: 'scope.input', path: '', sure: true };
  }

  private member(name: string, picks: Picks): Part {
    return this.memberOf(this.surely(picks), name);
  }

  private memberOf({ from, path }: Place, name: string): Part {
    return { from, path: `${path}/${name}` };
  }

  private index(picks: Picks): Part {
    const indexes = [...(this.around.loop ? ['loop.index'] : []), ...(this.around.item ? ['item.index'] : [])];
    const from = indexes[picks.below(Math.max(1, indexes.length))];
    return from === undefined ? { literal: 7 } : { from };
  }

  private error(picks: Picks): Part {
    const errors = [...this.errors];
    const key = errors[picks.below(Math.max(1, errors.length))];
    const path = picks.below(2) === 0 ? '/code' : '/message';
    return key === undefined ? { literal: 'no error' } : { from: `nodes.${key}.error`, path };
  }
}

function placesOf(from: string, output: Output): readonly Place[] {
  if (output === 'nothing') return [];
  if (output === 'value') return [{ from, path: '', sure: true }];
  if (output === 'list') return [0, 1].map((index) => ({ from, path: `/${index}`, sure: false }));
  return Array.from({ length: output.tuple }, (_, index) => ({ from, path: `/${index}`, sure: true }));
}
