/** A run's events as live lines for a person: what happens, not how it is stored. */
import type { EventView } from '@graphrun/domain';
import type { Terminal } from './terminal.js';

/** Prints the steps of one run. Nodes are remembered, because later events name only the activation. */
export class Progress {
  readonly #nodes = new Map<string, string>();
  #startedAt: number | null = null;

  constructor(private readonly terminal: Terminal) {}

  show(event: EventView): void {
    this.#startedAt ??= event.at;
    const text = this.#sentence(event);
    if (text === null) return;
    const elapsed = `${((event.at - this.#startedAt) / 1000).toFixed(3)}s`.padStart(9);
    this.terminal.line(`${this.terminal.style('dim', elapsed)}  ${text}`);
  }

  #sentence(event: EventView): string | null {
    const activation = text(event, 'activation');
    const node = this.#nodes.get(activation) ?? activation;
    switch (event.kind) {
      case 'run_admitted':
        return `run ${text(event, 'run')} of ${text(event, 'workflow')} version ${text(event, 'version')} is admitted`;
      case 'activity_activated':
        this.#nodes.set(activation, text(event, 'node'));
        return `${text(event, 'node')} is ready`;
      case 'attempt_granted':
        return `${node} runs, attempt ${text(event, 'attempt')}`;
      case 'attempt_failed':
        return `${node} failed: ${failure(event['failure'])}`;
      case 'attempt_lost':
        return `${node} was lost (${text(event, 'reason')})`;
      case 'retry_scheduled':
        return `${node} is tried again in ${text(event, 'delay_ms')} ms`;
      case 'activity_succeeded':
        return `${this.terminal.style('green', `${node} succeeded`)} ${shorten(JSON.stringify(event['output']))}`;
      case 'activity_failed':
        return this.terminal.style('red', `${node} failed: ${failure(event['failure'])}`);
      case 'activity_cancelled':
        return `${node} is cancelled`;
      case 'intervention_required':
        return this.terminal.style('yellow', `${node} needs a person: ${failure(event['reason'])}`);
      case 'run_stop_intended':
        return `the run stops (${text(event, 'intent')}): ${failure(event['failure'])}`;
      case 'run_succeeded':
        return this.terminal.style('green', 'the run succeeded');
      case 'run_failed':
        return this.terminal.style('red', `the run failed: ${failure(event['failure'])}`);
      case 'run_cancelled':
        return this.terminal.style('red', `the run is cancelled: ${failure(event['failure'])}`);
      default:
        return null;
    }
  }
}

/** A scalar field of an event. */
function text(event: EventView, field: string): string {
  const value = event[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function failure(value: unknown): string {
  const { code, message } = (value ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return `${String(code)}: ${String(message)}`;
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 97)}...`;
}
