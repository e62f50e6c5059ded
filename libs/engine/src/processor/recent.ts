/**
 * What was decided a short while ago. A look-up in PostgreSQL may run beside the commit it should have seen; the
 * answer is then here. Entries are dropped by age of insertion, and there is room for far more than what can be under
 * way at once, so nothing that a look-up could have missed is dropped.
 */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();

  constructor(readonly capacity: number) {}

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.capacity) return;
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }

  deleteWhere(match: (value: V) => boolean): void {
    for (const [key, value] of this.#entries) if (match(value)) this.#entries.delete(key);
  }
}
