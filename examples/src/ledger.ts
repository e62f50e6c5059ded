/**
 * What a real shop or bank would keep: which effects happened, by key. A repeated request with a known key gets the
 * first answer and changes nothing, which is what makes a `RetrySafe` activity safe to repeat.
 */
import { appendFileSync } from 'node:fs';
import type { Json } from '@graphrun/dsl';

export interface LedgerEntry {
  /** Requests that arrived with the key; the effect happened once, whatever their number. */
  readonly requests: number;
  readonly output: Json;
}

/** One line of the ledger file: one request. */
export interface LedgerLine {
  /** UTC ms. */
  readonly at: number;
  readonly pid: number;
  readonly key: string;
  readonly activity: string;
  /** True for the request that made the effect happen, as far as this process knows. */
  readonly applied: boolean;
}

/** Older effects are forgotten, so that a worker of months does not fill its memory. */
const REMEMBERED = 100_000;

export class EffectLedger {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #file: string | null;

  /** With `file`, each request is appended as a JSON line before it is answered, so it survives the process. */
  constructor(file: string | null) {
    this.#file = file;
  }

  /** Requests the effect `key`. `output` is what happens the first time; later requests get the first output. */
  request<Output extends Json>(key: string, activity: string, output: Output): Output {
    const known = this.#entries.get(key);
    const entry: LedgerEntry = { requests: (known?.requests ?? 0) + 1, output: known?.output ?? output };
    this.#entries.set(key, entry);
    this.#forgetOldest();
    this.#record({ at: Date.now(), pid: process.pid, key, activity, applied: known === undefined });
    // The key is bound to its activity, so the first output has the type of this one.
    return entry.output as Output;
  }

  get(key: string): LedgerEntry | null {
    return this.#entries.get(key) ?? null;
  }

  /** Effects that happened. */
  get effects(): number {
    return this.#entries.size;
  }

  #forgetOldest(): void {
    if (this.#entries.size <= REMEMBERED) return;
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }

  #record(line: LedgerLine): void {
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** The ledger of this process; `GRAPHRUN_LEDGER_FILE` names its file. */
export const ledger = new EffectLedger(process.env['GRAPHRUN_LEDGER_FILE'] ?? null);
