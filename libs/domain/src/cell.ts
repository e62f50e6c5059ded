/** Values of a run's state, and where its history holds them. */
import type { Json } from '@graphrun/dsl';
import type { Cell, ComposedCell, RecordedCell } from './state.js';

/** The value at `at` in the body of event `seq`. */
export function recorded(value: Json, seq: number, at: string): RecordedCell {
  return { value, seq, at };
}

/** An array whose items stand in different events. */
export function composed(parts: readonly Cell[]): ComposedCell {
  return { value: parts.map((part) => part.value), parts };
}

/** The item of an array; the array's own place leads to it. */
export function itemOf(cell: Cell, index: number): Cell {
  if ('parts' in cell) {
    const part = cell.parts[index];
    if (part === undefined) throw new Error(`an array of ${cell.parts.length} parts has no item ${index}`);
    return part;
  }
  const { value, seq, at } = cell;
  if (!Array.isArray(value) || index >= value.length)
    throw new Error(`the value at ${at} of event ${seq} has no item ${index}`);
  return { value: value[index] as Json, seq, at: `${at}/${index}` };
}
