/** Lines and columns of offsets, counted from 1, columns in UTF-16 units as editors do. */

export interface Position {
  readonly line: number;
  readonly column: number;
}

export class LineIndex {
  readonly #starts: readonly number[];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
    const starts = [0];
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** Where the line ends that `offset` is on: before its line break. */
  lineEnd(offset: number): number {
    const next = this.#starts[this.position(offset).line];
    if (next === undefined) return this.#source.length;
    const end = next - 1;
    return end > offset && this.#source[end - 1] === '\r' ? end - 1 : end;
  }

  position(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
