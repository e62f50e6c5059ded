/**
 * Executes the run of a scenario as a cluster with one worker would, step by step and always in the same order: what is due
 * by itself, then work in the order of its offers, then the earliest timer. Handlers say what each attempt reports.
 */
import type { Json } from '@graphrun/dsl';
import { agenda, assignmentOf, isTerminal, type ReportOutcome, type Role, type TimerName } from '../index.js';
import { Scenario } from './scenario.js';

/** An attempt, as a handler sees it. */
export interface Work {
  readonly activation: string;
  readonly node: string;
  readonly handler: string;
  readonly role: Role;
  readonly input: Json;
  readonly attempt: number;
  /** How many attempts of this handler were begun before. */
  readonly calls: number;
}

/** What an attempt comes to: a report, or nothing yet (`held`), or the loss of its worker. */
export type Ending = ReportOutcome | 'held' | 'lost';
export type Handler = (work: Work) => Ending;

/** By node and role (`pay`, `pay:compensation`), else by the name of the handler. The others return their input. */
export interface Handlers {
  readonly [nameOrNode: string]: Handler;
}

export function output(value: Json): ReportOutcome {
  return { kind: 'success', output: value };
}

export function applied(value: Json): ReportOutcome {
  return { kind: 'probed', answer: 'applied', output: value };
}

export const notApplied: ReportOutcome = { kind: 'probed', answer: 'not_applied' };
export const unknown: ReportOutcome = { kind: 'probed', answer: 'unknown' };

/** More than the largest test needs. */
const MOST_STEPS = 20_000;

export class Driver {
  /** What was begun, in order: `pay`, `pay:compensation`, `pay:reconciliation`. */
  readonly begun: string[] = [];
  /** Attempts that are held: they stay claimed until the test reports them. */
  readonly held = new Set<string>();
  private readonly calls = new Map<string, number>();
  /** Called after each command; a test restarts the run here. */
  afterStep: (step: number) => void = () => undefined;
  private steps = 0;

  constructor(
    readonly scenario: Scenario,
    readonly handlers: Handlers = {},
  ) {}

  /** Goes on until nothing is left to do but to wait for time or for somebody outside. */
  settle(): this {
    while (this.work()) this.stepped();
    return this;
  }

  /** Goes on, letting time pass, until the run has ended or waits for somebody outside. */
  finish(): this {
    do this.settle();
    while (this.nextTimer());
    return this;
  }

  /** One piece of work; false when there is none. */
  private work(): boolean {
    const { scenario } = this;
    const { progressDue, ready } = agenda(scenario.run);
    const [first] = ready;
    if (progressDue) scenario.progress();
    else if (first !== undefined) this.attempt(first.leaf.id);
    else return false;
    return true;
  }

  private attempt(activation: string): void {
    const { scenario } = this;
    const leaf = scenario.leaf(activation);
    const { role, handler } = assignmentOf(scenario.run, leaf);
    const name = role === 'forward' ? leaf.node : `${leaf.node}:${role}`;
    const calls = this.calls.get(name) ?? 0;
    this.calls.set(name, calls + 1);
    const handle = this.handlers[name] ?? this.handlers[handler.name];
    const { node } = leaf;
    const work: Work = {
      activation,
      node,
      handler: handler.name,
      role,
      input: leaf.input.value,
      attempt: leaf.attempts + 1,
      calls,
    };
    this.begun.push(name);
    scenario.claim(activation);
    this.stepped();
    const ending = handle?.(work) ?? (role === 'reconciliation' ? unknown : output(work.input));
    if (ending === 'held') this.held.add(activation);
    else if (ending === 'lost') scenario.expire('worker_lost', activation);
    else scenario.report(ending, activation);
  }

  /** Lets time pass to the earliest timer that the run itself waits for, and fires it; false when there is none. */
  private nextTimer(): boolean {
    const { scenario } = this;
    if (isTerminal(scenario.run.status)) return false;
    const timers = agenda(scenario.run).timers.filter(({ name }) => name !== 'run' && name !== 'inbox');
    const [next] = timers.sort((a, b) => a.dueAt - b.dueAt);
    if (next === undefined) return false;
    this.fire(next.name, next.dueAt);
    return true;
  }

  fire(name: TimerName, dueAt: number): void {
    this.scenario.now = Math.max(this.scenario.now, dueAt);
    this.scenario.timer(name, dueAt);
    this.stepped();
  }

  private stepped(): void {
    this.steps += 1;
    if (this.steps > MOST_STEPS) throw new Error(`the run is at work for ever: ${this.begun.slice(-5).join(', ')}`);
    this.afterStep(this.steps);
  }
}

/** A started run of `program` and its driver, gone on until somebody else is needed. */
export function drive(program: Scenario['program'], handlers: Handlers = {}, input: Json = { n: 1 }): Driver {
  const scenario = new Scenario(program);
  const { kind } = scenario.start(input);
  if (kind !== 'accepted') throw new Error(`the start was ${kind}`);
  return new Driver(scenario, handlers).settle();
}
