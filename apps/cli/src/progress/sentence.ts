/** Events as sentences for a person; those that are only bookkeeping have none. */
import type { EventView } from '@graphrun/domain';
import { count, counted, failure, lengthOf, moment, shorten, text } from './fields.js';

export interface Sentence {
  readonly style: 'red' | 'green' | 'yellow' | null;
  readonly text: string;
}

const plain = (text: string): Sentence => ({ style: null, text });
const good = (text: string): Sentence => ({ style: 'green', text });
const odd = (text: string): Sentence => ({ style: 'yellow', text });
const bad = (text: string): Sentence => ({ style: 'red', text });

/** `node` is the path of what the event is about. */
export function sentenceOf(event: EventView, node: string): Sentence | null {
  return ofRun(event) ?? ofAttempt(event, who(event, node)) ?? ofControl(event, node) ?? ofSaga(event, node);
}

/** Attempts of compensations and probes go by the names of what they undo or ask about. */
function who(event: EventView, node: string): string {
  const activation = text(event, 'activation');
  if (activation.endsWith('r')) return `the reconciler of ${node}`;
  return activation.endsWith('c') ? `the compensation of ${node}` : node;
}

function ofRun(event: EventView): Sentence | null {
  switch (event.kind) {
    case 'run_admitted':
      return plain(
        `run ${text(event, 'run')} of ${text(event, 'workflow')} version ${text(event, 'version')} is admitted`,
      );
    case 'run_stop_intended':
      return plain(`the run stops (${text(event, 'intent')}): ${failure(event)}`);
    case 'run_paused':
      return odd(`the run is paused by ${event.by}: ${text(event, 'reason')}`);
    case 'run_resumed':
      return plain(`the run is resumed by ${event.by}: ${text(event, 'reason')}`);
    case 'run_reopened':
      return plain(`the run is opened again by ${event.by}: ${text(event, 'reason')}`);
    case 'run_succeeded':
      return good('the run succeeded');
    case 'run_failed':
      return bad(`the run failed: ${failure(event)}`);
    case 'run_cancelled':
      return bad(`the run is cancelled: ${failure(event)}`);
    case 'run_terminated':
      return bad(`the run is terminated: ${failure(event)}`);
    case 'run_continued':
      return good(`the run continues as ${text(event, 'successor')}`);
    case 'signal_accepted':
      return plain(`signal ${text(event, 'signal')} with key "${text(event, 'key')}" is accepted`);
    case 'signal_expired':
      return odd(`signal ${text(event, 'event')} has expired: nothing waited for it`);
    default:
      return null;
  }
}

function ofAttempt(event: EventView, who: string): Sentence | null {
  switch (event.kind) {
    case 'activity_activated':
      return plain(`${who} is ready`);
    case 'attempt_granted':
      return plain(`${who} runs, attempt ${text(event, 'attempt')}`);
    case 'attempt_failed':
      return plain(`${who} failed: ${failure(event)}`);
    case 'attempt_lost':
      return plain(`${who} was lost (${text(event, 'reason')})`);
    case 'retry_scheduled':
      return plain(`${who} is tried again in ${text(event, 'delay_ms')} ms`);
    case 'activity_succeeded':
      return { style: 'green', text: `${who} succeeded ${shorten(event['output'])}` };
    case 'activity_failed':
      return bad(`${who} failed: ${failure(event)}`);
    case 'activity_cancelled':
      return plain(`${who} is cancelled`);
    case 'intervention_required':
      return odd(`${who} needs a person: ${failure(event, 'reason')}`);
    case 'intervention_resolved':
      return plain(`${event.by} says of ${who}: ${decision(event)}`);
    case 'reconciliation_requested':
      return odd(`nobody knows what became of ${who} (${failure(event, 'reason')}); its reconciler will be asked`);
    case 'probe_answered':
      return plain(`the reconciler of ${who} answers ${text(event, 'answer').replace('_', ' ')}`);
    default:
      return null;
  }
}

function decision(event: EventView): string {
  const { kind } = (event['resolution'] ?? {}) as { readonly kind?: unknown };
  return `${String(kind).replace('_', ' ')} (${text(event, 'reason')})`;
}

function ofControl(event: EventView, node: string): Sentence | null {
  switch (event.kind) {
    case 'choose_entered': {
      const chosen = count(event, 'chosen');
      return plain(`${node} takes ${chosen === null ? 'its default' : `case ${chosen + 1}`}`);
    }
    case 'loop_entered': {
      const times = count(event, 'count');
      return plain(times === null ? `${node} begins` : `${node} begins: ${counted(times, 'iteration', 'iterations')}`);
    }
    case 'foreach_entered':
      return plain(`${node} begins: ${counted(lengthOf(event, 'items') ?? 0, 'item', 'items')}`);
    case 'parallel_entered':
      return plain(`${node} begins: ${counted(lengthOf(event, 'inputs') ?? 0, 'branch', 'branches')}`);
    case 'saga_entered':
      return plain(`${node} begins`);
    case 'container_failed':
      return bad(`${node} failed: ${failure(event)}`);
    case 'error_routed':
      return odd(`${node} failed with ${failure(event)}; it goes on at ${text(event, 'to')}`);
    case 'timer_set':
      return plain(`${node} waits until ${moment(event, 'due_at')}`);
    case 'timer_fired':
      return plain(`${node} has waited`);
    case 'wait_opened': {
      const until = moment(event, 'due_at');
      const signal = `signal ${text(event, 'signal')} with key "${text(event, 'key')}"`;
      return odd(`${node} waits for ${signal}${until === '' ? '' : ` until ${until}`}`);
    }
    case 'wait_satisfied':
      return good(`${node} has its signal`);
    case 'wait_timed_out':
      return odd(`${node} has waited in vain`);
    default:
      return null;
  }
}

function ofSaga(event: EventView, node: string): Sentence | null {
  switch (event.kind) {
    case 'obligation_blocked':
      return odd(`${node} cannot be undone without a person: ${failure(event, 'reason')}`);
    case 'obligation_irreversible':
      return plain(`${node} cannot be undone: ${text(event, 'reason')}`);
    case 'saga_abort_started':
      return odd(`${node} is undone, the latest effect first`);
    case 'compensation_started':
      return plain(`${node} is to be undone by ${text(event, 'handler')}`);
    case 'compensation_completed':
      return good(`${node} is undone`);
    case 'compensation_blocked':
      return odd(`the compensation of ${node} needs a person: ${failure(event, 'reason')}`);
    case 'obligation_abandoned':
      return bad(`${node} is not undone: ${event.by} gives up (${text(event, 'reason')})`);
    default:
      return null;
  }
}
