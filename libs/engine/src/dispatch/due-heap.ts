/** A binary heap by due time. Entries are not removed one by one: whoever takes one out checks that it still holds. */
export interface Due {
  /** UTC ms. */
  readonly dueAt: number;
}

export class DueHeap<T extends Due> {
  #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): T | undefined {
    return this.#heap[0];
  }

  push(entry: T): void {
    const heap = this.#heap;
    heap.push(entry);
    let at = heap.length - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || parent.dueAt <= entry.dueAt) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = entry;
  }

  pop(): T | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      let least = left;
      if (right !== undefined && right.dueAt < left.dueAt) {
        child += 1;
        least = right;
      }
      if (least.dueAt >= last.dueAt) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
    return top;
  }

  /** Forgets all entries but these. */
  keep(holds: (entry: T) => boolean): void {
    const kept = this.#heap.filter(holds).sort((a, b) => a.dueAt - b.dueAt);
    // A sorted list is a heap.
    this.#heap = kept;
  }
}
