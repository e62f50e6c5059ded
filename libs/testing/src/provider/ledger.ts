/** Questions to the ledger of a provider. */
import type { LedgerLine } from './protocol.js';

export class ProviderLedger {
  constructor(readonly lines: readonly LedgerLine[]) {}

  /** What belongs to the effects of one run. */
  of(run: string): ProviderLedger {
    return new ProviderLedger(this.lines.filter(({ key }) => key.startsWith(`gr1:${run}:`)));
  }

  /** Physical requests, of one activity or of all. */
  requests(activity?: string): number {
    return this.#count('requested', activity);
  }

  /** Logical effects: what really happened, however often it was asked for. */
  effects(activity?: string): number {
    return this.#count('applied', activity);
  }

  /** Activities of the effects, in the order in which they happened. */
  order(): readonly string[] {
    return this.lines.filter(({ kind }) => kind === 'applied').map(({ activity }) => activity);
  }

  /** Effect keys of the effects, in the order in which they happened. */
  keys(): readonly string[] {
    return this.lines.filter(({ kind }) => kind === 'applied').map(({ key }) => key);
  }

  /** Physical requests by effect key. */
  physicalByKey(): ReadonlyMap<string, number> {
    const requests = new Map<string, number>();
    for (const { kind, key } of this.lines) {
      if (kind === 'requested') requests.set(key, (requests.get(key) ?? 0) + 1);
    }
    return requests;
  }

  /** What probes of an activity were answered, in their order. */
  probes(activity: string): readonly string[] {
    return this.lines.flatMap((line) => (line.kind === 'probed' && line.activity === activity ? [line.state] : []));
  }

  /** Requests whose key stood for something else before: there must be none. */
  misused(): readonly LedgerLine[] {
    return this.lines.filter(({ kind }) => kind === 'misused');
  }

  #count(kind: LedgerLine['kind'], activity?: string): number {
    const counted = this.lines.filter((line) => line.kind === kind);
    return counted.filter((line) => activity === undefined || line.activity === activity).length;
  }
}
