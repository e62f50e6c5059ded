/**
 * The language, executed as one reads it: a region is walked from node to node, a body is a call, and nothing else is
 * going on meanwhile. It has no code in common with the engine, only the IR: where the two disagree, one of them is wrong.
 */
import {
  POLICIES,
  versionedName,
  type ActivityNode,
  type DelayNode,
  type Json,
  type Node,
  type Program,
  type Region,
  type WaitSignalNode,
  type WaitUntilNode,
} from '@graphrun/dsl';
import { attemptsOf } from './activity.js';
import { walkContainer } from './containers.js';
import { engineFailure, Fails, NodeFails, type Failure } from './failure.js';
import { Inbox } from './inbox.js';
import type { Choose } from './possibilities.js';
import type { ActivityStep, Course, CourseEnd, Ended, Owed, Prediction, RouteStep, Step } from './prediction.js';
import { bind, Scope, type Place } from './scope.js';
import { answerId, lateId, type Script } from './script.js';
import { valueOf } from './values.js';

/** How a scope leaves a node. */
export type Passage =
  | { readonly kind: 'on'; readonly step: Step; readonly next: string; readonly output?: Json }
  | { readonly kind: 'failed'; readonly step: Step | null; readonly failure: Failure }
  | { readonly kind: 'never'; readonly step: Step }
  | { readonly kind: 'end'; readonly end: CourseEnd };

export class Interpreter {
  private readonly inbox: Inbox;

  constructor(
    readonly program: Program,
    private readonly input: Json,
    readonly script: Script,
    readonly choose: Choose,
  ) {
    this.inbox = new Inbox(script.buffered);
  }

  run(): Prediction {
    const nowhere: Place = { path: '', loop: null, item: null, insideSaga: false };
    const root = this.courseOf(this.program.definition.root, this.input, nowhere);
    const { end } = root;
    switch (end.kind) {
      case 'completed':
        return { root, outcome: { kind: 'succeeded', output: end.output } };
      case 'never':
        return { root, outcome: { kind: 'waiting' } };
      default:
        return { root, outcome: end };
    }
  }

  courseOf(region: Region, input: Json, place: Place): Course {
    const scope = new Scope(this.program, this.input, input, place);
    const steps: Step[] = [];
    const end = this.walk(region, scope, steps);
    return { path: place.path, input, steps, end };
  }

  private walk(region: Region, scope: Scope, steps: Step[]): CourseEnd {
    for (let key = region.start; ;) {
      const node = region.nodes[key];
      if (node === undefined) throw new Error(`there is no node ${key} in the region of ${scope.place.path}`);
      const passage = this.pass(node, key, region, scope);
      if (passage.kind === 'end') return passage.end;
      if (passage.step !== null) steps.push(passage.step);
      if (passage.kind === 'never') return { kind: 'never' };
      if (passage.kind === 'failed') {
        const { failure } = passage;
        const route = routeOf(node, scope.pathOf(key), failure);
        if (route === null) return { kind: 'failed', failure };
        steps.push(route);
        scope.errors.set(key, failure);
        key = route.to;
      } else {
        if (passage.output !== undefined) scope.outputs.set(key, passage.output);
        key = passage.next;
      }
    }
  }

  private pass(node: Node, key: string, region: Region, scope: Scope): Passage {
    try {
      return this.enter(node, scope.pathOf(key), region, scope);
    } catch (error) {
      if (error instanceof NodeFails) return { kind: 'failed', step: null, failure: error.failure };
      if (error instanceof Fails) return { kind: 'end', end: { kind: 'failed', failure: error.failure } };
      throw error;
    }
  }

  private enter(node: Node, path: string, region: Region, scope: Scope): Passage {
    switch (node.kind) {
      case 'complete':
        return { kind: 'end', end: { kind: 'completed', output: scope.bind(node.output, region.outputSchema) } };
      case 'fail':
        return { kind: 'end', end: { kind: 'failed', failure: node.error } };
      case 'continue_as_new':
        return { kind: 'end', end: { kind: 'continued', input: scope.bind(node.input, region.inputSchema) } };
      case 'activity': {
        const step = this.activity(node, path, scope);
        return passageOf(step, step.ended, node.next);
      }
      case 'delay':
      case 'wait_until':
        return timer(node, path, scope);
      case 'wait_signal':
        return this.wait(node, path, scope);
      default: {
        const step = walkContainer(this, node, path, scope);
        return passageOf(step, step.ended, node.next);
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------ activities

  private activity(node: ActivityNode, path: string, scope: Scope): ActivityStep {
    const contract = this.program.contract(node.activity);
    const input = scope.bind(node.input, contract.inputSchema);
    const output = this.script.perform.bind(null, node.activity, input);
    const { attempts, ended } = attemptsOf(
      contract,
      node.retry,
      (attempt) => this.script.ending({ path, role: 'forward', attempt }),
      output,
    );
    const mayOwe = scope.place.insideSaga && attempts.some(({ settles }) => settles.kind === 'completed');
    return {
      kind: 'activity',
      path,
      activity: versionedName(node.activity.name, node.activity.version),
      input,
      attempts,
      ended,
      owes: mayOwe ? this.owed(node, path, input, output()) : null,
    };
  }

  private owed({ compensation }: ActivityNode, path: string, input: Json, output: Json): Owed | null {
    if (compensation === undefined) return null;
    if (compensation.kind === 'irreversible') return compensation;
    const contract = this.program.contract(compensation.activity);
    const { attempts } = attemptsOf(
      contract,
      compensation.retry,
      (attempt) => this.script.ending({ path, role: 'compensation', attempt }),
      () => null,
    );
    const forward: { [reference: string]: Json } = { 'forward.input': input, 'forward.output': output };
    const handler = versionedName(compensation.activity.name, compensation.activity.version);
    const common = { kind: 'undone', handler, attempts: attempts.length } as const;
    try {
      const read = (reference: string): Json => forward[reference] ?? null;
      const bound = bind(this.program, compensation.input, contract.inputSchema, read);
      return { ...common, input: bound, supplied: false };
    } catch (error) {
      if (!(error instanceof Fails)) throw error;
      return { ...common, input: this.script.supply(contract.inputSchema), supplied: true };
    }
  }

  // ----------------------------------------------------------------------------------------------------------- waits

  private wait(node: WaitSignalNode, path: string, scope: Scope): Passage {
    const { signal, consumeFrom, timeoutMs, onTimeout } = node;
    const key = valueOf(node.key, scope.read());
    if (typeof key !== 'string') throw new Fails(engineFailure('binding.kind'));
    const address = { signal, key };
    const taken = consumeFrom === 'buffered' ? this.inbox.take(address) : undefined;
    const answer = this.script.answer(path, signal);
    if (taken !== undefined || answer !== undefined) {
      const id = taken?.id ?? answerId(path);
      const payload = taken?.payload ?? answer ?? null;
      const ended = { kind: 'satisfied', signal: id, payload } as const;
      return { kind: 'on', step: { kind: 'wait', path, address, ended }, next: node.next, output: payload };
    }
    if (timeoutMs === null || onTimeout === undefined) {
      return { kind: 'never', step: { kind: 'wait', path, address, ended: { kind: 'never' } } };
    }
    const late = this.script.late(path, address);
    if (late !== undefined) this.inbox.add({ ...address, id: lateId(path), payload: late });
    return { kind: 'on', step: { kind: 'wait', path, address, ended: { kind: 'elapsed' } }, next: onTimeout };
  }
}

function timer(node: DelayNode | WaitUntilNode, path: string, scope: Scope): Passage {
  const wrong = (failure: Failure): Error => new Fails(failure);
  if (node.kind === 'delay') scope.integer(node.duration, 1, POLICIES.waitMaxMs, wrong);
  else scope.integer(node.at, 0, Number.MAX_SAFE_INTEGER, wrong);
  const step = { kind: 'wait', path, address: null, ended: { kind: 'elapsed' } } as const;
  return { kind: 'on', step, next: node.next };
}

function passageOf(step: Step, ended: Ended, next: string): Passage {
  switch (ended.kind) {
    case 'completed':
      return { kind: 'on', step, next, output: ended.output };
    case 'failed':
      return { kind: 'failed', step, failure: ended.failure };
    case 'never':
      return { kind: 'never', step };
  }
}

/** The first route whose codes hold the failure's; null when the failure goes on to the scope. */
function routeOf(node: Node, path: string, failure: Failure): RouteStep | null {
  const routes = 'onError' in node ? (node.onError ?? []) : [];
  const route = routes.find(({ codes }) => codes === 'any' || codes.includes(failure.code));
  return route === undefined ? null : { kind: 'route', path, failure, to: route.next };
}
