/** Small changes of JSON values, whatever they mean. */
import { canonicalize, isArray, isObject } from '../../canonical.js';
import { escapeToken, parsePointer } from '../../pointer.js';
import type { Json } from '../../value.js';
import type { Picks } from './picks.js';

export interface Place {
  readonly pointer: string;
  readonly value: Json;
}

/** Every place in a value, the value itself first. */
export function placesOf(value: Json, pointer = ''): readonly Place[] {
  const entries = value === null || typeof value !== 'object' ? [] : Object.entries(value as Record<string, Json>);
  return [
    { pointer, value },
    ...entries.flatMap(([key, member]) => placesOf(member, `${pointer}/${escapeToken(key)}`)),
  ];
}

/** The value with what `change` makes of the place at `pointer`; undefined removes it. */
export function changeAt(value: Json, pointer: string, change: (found: Json) => Json | undefined): Json {
  return inner(value, parsePointer(pointer) ?? [], change) ?? null;
}

function inner(value: Json, tokens: readonly string[], change: (found: Json) => Json | undefined): Json | undefined {
  const [token, ...rest] = tokens;
  if (token === undefined) return change(value);
  if (isArray(value)) {
    return value.flatMap((item, index) => {
      const changed = String(index) === token ? inner(item, rest, change) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    const changed = key === token ? inner(member, rest, change) : member;
    return changed === undefined ? [] : [[key, changed]];
  });
  return Object.fromEntries(entries);
}

/** A scalar that differs a little from the given one, or a lot. */
export function otherScalar(value: Json, picks: Picks): Json {
  if (typeof value === 'string') return otherText(value, picks);
  if (typeof value === 'number') return picks.of<Json>([value + 1, 0, -value - 1, String(value)]);
  if (typeof value === 'boolean') return picks.of<Json>([!value, null]);
  return picks.of<Json>([0, '', false, {}]);
}

function otherText(text: string, picks: Picks): Json {
  const duration = /^([0-9]+)ms$/.exec(text)?.[1];
  if (duration !== undefined) return `${Number(duration) + 1}ms`;
  return picks.of<Json>([`${text}x`, text.slice(1), text.toUpperCase(), '', null, 'any']);
}

/** The value with one scalar changed, or one list in another order or length; null when nothing changed. */
export function leafEdit(value: Json, picks: Picks): Json | null {
  const places = placesOf(value).filter(({ value: of }) => of === null || typeof of !== 'object' || isArray(of));
  const place = places[picks.below(Math.max(1, places.length))];
  if (place === undefined) return null;
  const edited = changeAt(value, place.pointer, (found) =>
    isArray(found) ? otherList(found, picks) : otherScalar(found, picks),
  );
  return canonicalize(edited) === canonicalize(value) ? null : edited;
}

function otherList(items: readonly Json[], picks: Picks): Json {
  const at = picks.below(Math.max(1, items.length));
  switch (picks.below(3)) {
    case 0:
      return items.toReversed();
    case 1:
      return items.toSpliced(at, 1);
    default:
      return items.toSpliced(at, 0, ...items.slice(at, at + 1));
  }
}

/** The value with any one place changed: removed, renamed, doubled, replaced by another part of the value. */
export function treeEdit(value: Json, picks: Picks): Json {
  const places = placesOf(value);
  const { pointer } = places[picks.below(places.length)] ?? { pointer: '' };
  const other = (places[picks.below(places.length)] ?? { value: null }).value;
  switch (picks.below(5)) {
    case 0:
      return changeAt(value, pointer, () => undefined);
    case 1:
      return changeAt(value, pointer, () => other);
    case 2:
      return changeAt(value, pointer, (found) =>
        isObject(found) ? { ...found, [picks.of(['description', 'extra', 'kind', '__proto__', ''])]: other } : [found],
      );
    case 3:
      return changeAt(value, pointer, (found) =>
        isObject(found)
          ? Object.fromEntries(Object.entries(found).map(([key, of], at) => [at === 0 ? `${key}_` : key, of]))
          : { value: found },
      );
    default:
      return changeAt(value, pointer, (found) => otherScalar(found, picks));
  }
}
