/** How a run has ended, as it is told to whoever waits for it. */
import type { Run } from '@graphrun/domain';
import type { TerminalOutcome } from '@graphrun/protocol';

/** Null while the run goes on. */
export function outcomeOf({ status }: Run): TerminalOutcome | null {
  switch (status.kind) {
    case 'succeeded':
      return { status: 'succeeded', output: status.output.value };
    case 'failed':
    case 'cancelled':
    case 'terminated':
      return { status: status.kind, failure: status.failure };
    case 'continued':
      return { status: 'continued', successor: status.successor };
    case 'active':
    case 'stopping':
    case 'blocked':
      return null;
  }
}
