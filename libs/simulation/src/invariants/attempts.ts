/** Attempts: each generation is granted once, and of all that are reported one counts. */
import type { EventBody } from '@graphrun/domain';
import type { Rules } from './tree.js';
import { violated } from './violation.js';

export class AttemptRules implements Rules {
  /** Granted attempts by `activation/generation`: to whom, and until when. */
  readonly grants = new Map<string, { readonly session: string; readonly deadline: number }>();
  readonly #results = new Set<string>();
  readonly #running = new Set<string>();

  check(body: EventBody, where: string): void {
    switch (body.kind) {
      case 'attempt_granted': {
        const { activation, generation, session, deadline } = body;
        const key = `${activation}/${generation}`;
        if (this.grants.has(key)) violated('3 one success', `${where}: generation ${key} was granted before`);
        if (this.#running.has(activation))
          violated('3 one success', `${where}: another attempt of ${activation} is running`);
        this.grants.set(key, { session, deadline });
        this.#running.add(activation);
        return;
      }
      case 'attempt_lost':
      case 'attempt_failed':
        this.#running.delete(body.activation);
        return;
      case 'probe_answered':
        this.#running.delete(`${body.activation}r`);
        return;
      case 'compensation_completed':
        this.#running.delete(`${body.activation}c`);
        return;
      case 'activity_succeeded':
      case 'activity_failed':
      case 'activity_cancelled':
        this.#running.delete(body.activation);
        if (!body.activation.endsWith('r')) onlyOneResult(this.#results, body.activation, where);
        return;
      default:
    }
  }
}

/** Invariant 3. */
function onlyOneResult(results: Set<string>, activation: string, where: string): void {
  if (results.has(activation)) violated('3 one success', `${where}: ${activation} has its result already`);
  results.add(activation);
}
