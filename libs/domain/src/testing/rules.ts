/**
 * What every history must be like, judged from its events alone. This is written against the specification and shares
 * nothing with the state, so that a mistake in appliers or transitions does not excuse itself.
 */
import type { Contract, Node, Program, Region } from '@graphrun/dsl';
import { bodiesOf } from '@graphrun/dsl';
import { forwardOf, roleOf, type ActivationId, type EventBody, type RunEvent } from '../index.js';
import { SagaRules } from './saga-rules.js';
import { SignalRules } from './signal-rules.js';

/** What an activation or a scope stands in. */
export class Tree {
  private readonly regions = new Map<string, Region>();
  private readonly owners = new Map<string, string | null>();
  private readonly nodes = new Map<string, Node>();
  private readonly scopes = new Map<string, string>();

  constructor(private readonly program: Program) {}

  add(event: EventBody): void {
    if (event.kind === 'scope_opened') {
      this.regions.set(event.scope, this.program.definition.root);
      this.owners.set(event.scope, null);
    } else if (event.kind === 'body_opened') {
      const node = this.nodeOf(event.owner);
      const bodies = bodiesOf(node).map(({ region }) => region);
      // The default of a choice comes last, the others in the order of their slots; loops have one body for all.
      const index = node.kind === 'choose' && event.slot < 0 ? bodies.length - 1 : event.slot;
      const region = node.kind === 'choose' || node.kind === 'parallel' ? bodies[index] : bodies[0];
      if (region === undefined) throw new Error(`${event.owner} has no body ${event.slot}`);
      this.regions.set(event.scope, region);
      this.owners.set(event.scope, event.owner);
    } else if ('activation' in event && 'scope' in event) {
      const node = this.regions.get(event.scope)?.nodes[event.node];
      if (node === undefined) throw new Error(`${event.activation} has no node ${event.node} in ${event.scope}`);
      this.nodes.set(event.activation, node);
      this.scopes.set(event.activation, event.scope);
    }
  }

  nodeOf(activation: string): Node {
    const node = this.nodes.get(activation);
    if (node === undefined) throw new Error(`${activation} was never activated`);
    return node;
  }

  /** The containers around an activation, the nearest first. */
  around(activation: string): string[] {
    const around: string[] = [];
    let scope = this.scopes.get(activation);
    while (scope !== undefined) {
      const owner = this.owners.get(scope);
      if (owner === undefined || owner === null) break;
      around.push(owner);
      scope = this.scopes.get(owner);
    }
    return around;
  }

  /** The container whose body a scope is. */
  ownerOf(scope: string): string | null {
    return this.owners.get(scope) ?? null;
  }

  sagasAround(activation: string): string[] {
    return this.around(activation).filter((id) => this.nodeOf(id).kind === 'saga');
  }

  /** The contract of the effect that a leaf of any role is about. */
  contractOf(leaf: ActivationId): Contract {
    const node = this.nodeOf(forwardOf(leaf));
    if (node.kind !== 'activity') throw new Error(`${leaf} is no activity`);
    if (!leaf.includes('c')) return this.program.contract(node.activity);
    if (node.compensation?.kind !== 'activity') throw new Error(`${leaf} has no compensation`);
    return this.program.contract(node.compensation.activity);
  }
}

/** @throws Error naming the rule and the event that breaks it. */
export function checkHistory(program: Program, history: readonly RunEvent[]): void {
  const tree = new Tree(program);
  const rules = [new CourseRules(), new AttemptRules(tree), new SagaRules(tree), new SignalRules()];
  history.forEach((event, index) => {
    if (event.seq !== index + 1) throw new Error(`event ${index + 1} has sequence ${event.seq}`);
    if (index > 0 && event.at < (history[index - 1]?.at ?? 0)) throw new Error(`time runs backwards at ${event.seq}`);
    tree.add(event.body);
    for (const rule of rules) {
      const broken = rule.check(event.body, event);
      if (broken !== null) throw new Error(`event ${event.seq} (${JSON.stringify(event.body)}): ${broken}`);
    }
  });
}

/** The rule that an event breaks, or null. */
export interface Rules {
  check(body: EventBody, event: RunEvent): string | null;
}

/** Forward work begins only while the run neither stops nor is paused, and everything ends once. */
class CourseRules implements Rules {
  private stopped = false;
  private paused = false;
  private ended = false;
  private failed = false;
  private readonly results = new Set<string>();
  /** Results that an opened run may have another time. */
  private readonly unsuccessful = new Set<string>();

  check(body: EventBody): string | null {
    if (body.kind === 'run_reopened') return this.reopened();
    if (this.ended) return 'the run has ended';
    switch (body.kind) {
      case 'run_stop_intended':
        if (this.stopped) return 'there is an intent already';
        this.stopped = true;
        return null;
      case 'run_paused':
      case 'run_resumed':
        this.paused = body.kind === 'run_paused';
        return null;
      case 'attempt_granted':
        if (this.paused) return 'the run is paused';
        return this.stopped && roleOf(body.activation) === 'forward' ? 'the run stops' : null;
      case 'compensation_started':
        return this.paused ? 'the run is paused' : null;
      case 'activity_succeeded':
      case 'container_completed':
        return this.result(body.activation);
      case 'activity_failed':
      case 'container_failed':
      case 'container_cancelled':
        return this.result(body.activation, false);
      case 'activity_cancelled':
        return roleOf(body.activation) === 'reconciliation' ? null : this.result(body.activation, false);
      case 'scope_completed':
        return this.result(body.scope);
      case 'scope_failed':
      case 'scope_cancelled':
        return this.result(body.scope, false);
      case 'run_failed':
        this.failed = true;
        this.ended = true;
        return null;
      case 'run_succeeded':
      case 'run_cancelled':
      case 'run_terminated':
        this.ended = true;
        return null;
      default:
        return this.forward(body);
    }
  }

  private result(id: string, success = true): string | null {
    if (this.results.has(id)) return `${id} has its result already`;
    this.results.add(id);
    if (!success) this.unsuccessful.add(id);
    return null;
  }

  private reopened(): string | null {
    if (!this.failed) return 'only a failed run is opened again';
    this.stopped = this.ended = this.failed = false;
    for (const id of this.unsuccessful) this.results.delete(id);
    this.unsuccessful.clear();
    return null;
  }

  private forward(body: EventBody): string | null {
    const begins = ('scope' in body && 'node' in body && body.kind !== 'error_routed') || body.kind === 'body_opened';
    if (!begins) return null;
    if (this.stopped) return 'the run stops';
    return this.paused ? 'the run is paused' : null;
  }
}

/** One attempt at a time, no external effect repeated that may not be, none called cancelled that may have happened. */
class AttemptRules implements Rules {
  private readonly running = new Set<string>();
  /** Leaves whose effect may have happened: how many of their attempts nobody knows the end of. */
  private readonly inQuestion = new Map<string, number>();
  private readonly generations = new Set<string>();

  constructor(private readonly tree: Tree) {}

  check(body: EventBody): string | null {
    switch (body.kind) {
      case 'attempt_granted':
        return this.granted(body.activation, body.generation);
      case 'attempt_lost':
        return this.lost(body.activation, body.reason === 'returned');
      case 'attempt_failed':
      case 'activity_succeeded':
      case 'activity_failed':
        return this.known(body.activation);
      case 'compensation_completed':
        return this.known(`${body.activation}c`);
      case 'probe_answered':
        this.running.delete(`${body.activation}r`);
        return body.answer === 'unknown' ? null : this.known(body.activation);
      case 'intervention_resolved':
        return body.resolution.kind === 'input' ? null : this.known(body.activation);
      case 'activity_cancelled':
        return this.cancelled(body.activation);
      default:
        return null;
    }
  }

  private granted(activation: ActivationId, generation: number): string | null {
    if (this.running.has(activation)) return 'another attempt is running';
    const key = `${activation}@${generation}`;
    if (this.generations.has(key)) return 'this generation was granted before';
    this.generations.add(key);
    const contract = this.tree.contractOf(activation);
    const repeatable = contract.effects === 'pure' || contract.recovery === 'RetrySafe';
    if (roleOf(activation) !== 'reconciliation' && !repeatable && this.inQuestion.has(activation))
      return 'it may have happened and may not be repeated';
    this.running.add(activation);
    return null;
  }

  /** A hand-back that comes after the attempt was counted as lost takes that loss back. */
  private lost(activation: string, returned: boolean): null {
    const running = this.running.delete(activation);
    const lost = (this.inQuestion.get(activation) ?? 0) + (returned ? (running ? 0 : -1) : 1);
    if (lost > 0) this.inQuestion.set(activation, lost);
    else this.inQuestion.delete(activation);
    return null;
  }

  private known(activation: string): null {
    this.running.delete(activation);
    this.inQuestion.delete(activation);
    return null;
  }

  private cancelled(activation: ActivationId): string | null {
    const external = this.tree.contractOf(activation).effects === 'external';
    const open = this.running.delete(activation);
    if (roleOf(activation) !== 'forward' || !external) return null;
    if (open) return 'its effect may still happen';
    return this.inQuestion.has(activation) ? 'its effect may have happened' : null;
  }
}
