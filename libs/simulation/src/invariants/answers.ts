/** Invariants 1 and 13: what was receipted is stored, stays, and is said alike to everybody who asks. */
import type { RunEvent } from '@graphrun/domain';
import type { ClientReceipt, CommandResult } from '@graphrun/protocol';
import type { Sent } from '../actors/client.js';
import type { Tables } from '../servers/tables.js';
import { violated } from './violation.js';

function storedResult(tables: Tables, id: string): CommandResult | null {
  for (const row of tables.resultRows.values())
    if (row.commandId === id) return (JSON.parse(row.result) as { readonly result: CommandResult }).result;
  return null;
}

/** Invariant 1, as the receipt leaves. */
export function receiptIsCommitted({ id, result }: ClientReceipt, tables: Tables): void {
  const stored = storedResult(tables, id);
  if (stored === null) violated('1 receipts', `${id} is answered, and nothing of it is committed`);
  sameResult(stored, result, id);
}

/** Invariant 13. */
function sameResult(a: CommandResult, b: CommandResult, id: string): void {
  if (JSON.stringify(a) !== JSON.stringify(b))
    violated('13 one answer', `${id} is answered ${JSON.stringify(b)} and ${JSON.stringify(a)}`);
}

/** Invariants 1 and 13, in the end. */
export function receiptsAreKept(sent: readonly Sent[], tables: Tables): void {
  for (const { id, receipts } of sent) {
    for (const result of receipts) {
      const stored = storedResult(tables, id);
      if (stored === null) violated('1 receipts', `${id} was answered, and its result is gone`);
      sameResult(stored, result, id);
      if (result.ok && !tables.runRows.has(result.run))
        violated('1 receipts', `${id} was answered with run ${result.run}, which is not there`);
    }
  }
}

const ONCE: ReadonlySet<string> = new Set(['signal_accepted', 'run_paused', 'run_resumed', 'intervention_resolved']);

/** Invariant 13: a command is carried out once, however often it came. */
export function carriedOutOnce(event: RunEvent, before: readonly RunEvent[]): void {
  const { cause, body } = event;
  if (!ONCE.has(body.kind) || !('command' in cause)) return;
  const twice = before.some(
    (other) => other.body.kind === body.kind && 'command' in other.cause && other.cause.command === cause.command,
  );
  if (twice) violated('13 one answer', `${cause.command} was carried out twice (${body.kind})`);
}
