/** Reads the history of a run as an observation. What scopes and leaves were given is asked of the run itself, event by event. */
import {
  forwardOf,
  roleOf,
  type ActivationId,
  type BodyOf,
  type CompensationSummary,
  type EventBody,
  type Run,
  type RunEvent,
  type ScopeId,
  type WaitId,
} from '@graphrun/domain';
import { bodiesOf, type ContainerNode, type Json, type Node, type Region } from '@graphrun/dsl';
import type {
  Captured,
  Fact,
  Observation,
  SeenContainer,
  SeenOutcome,
  SeenScope,
  SeenStep,
  SeenSummary,
} from '../oracle/index.js';
import { normalised } from './normal-form.js';
import type { Course } from './world.js';

type Open<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };
type StepOf<K extends SeenStep['kind']> = Open<Extract<SeenStep, { readonly kind: K }>>;

interface ScopeRecord {
  readonly seen: Open<SeenScope>;
  readonly region: Region;
  /** The container whose body it is. */
  readonly owner: ActivationId | null;
}

interface ContainerRecord {
  readonly seen: StepOf<'container'>;
  readonly node: ContainerNode;
  /** Bodies under way. */
  active: number;
}

export function observe(course: Course): Observation {
  const reader = new Reader(course);
  for (const event of course.history) reader.read(event);
  return normalised(reader.observation(), course.history, reader.paths());
}

class Reader {
  private readonly facts: Fact[] = [];
  private readonly scopes = new Map<ScopeId, ScopeRecord>();
  private readonly containers = new Map<ActivationId, ContainerRecord>();
  private readonly activities = new Map<ActivationId, StepOf<'activity'>>();
  private readonly waits = new Map<WaitId, StepOf<'wait'>>();
  private readonly payloads = new Map<string, Json>();
  /** Attempts of compensations that were not handed back. */
  private readonly undoing = new Map<ActivationId, number>();
  private cancelled = false;
  private run: Run | null = null;

  constructor(private readonly course: Course) {}

  observation(): Observation {
    const root = this.scope('s1' as ScopeId);
    if (root === undefined) throw new Error('the run has no root');
    const { seen } = root;
    // The root ends with the run. What stopped it is in the outcome.
    if (this.cancelled && seen.end.kind === 'failed') seen.end = { kind: 'cancelled' };
    return { outcome: this.outcome(), root: seen, facts: this.facts };
  }

  /** Paths of all scopes. */
  paths(): ReadonlyMap<string, string> {
    return new Map([...this.scopes].map(([id, { seen }]) => [id, seen.path]));
  }

  private outcome(): SeenOutcome {
    const { status } = this.course.run;
    switch (status.kind) {
      case 'succeeded':
        return { kind: 'succeeded', output: status.output.value };
      case 'failed':
      case 'cancelled': {
        const { code, message } = status.failure;
        return { kind: status.kind, failure: { code, message }, compensation: this.summary(status.compensation) };
      }
      case 'continued': {
        const last = this.course.history.at(-1)?.body;
        return { kind: 'continued', input: last?.kind === 'run_continued' ? last.input : null };
      }
      case 'active':
        return { kind: 'waiting' };
      default:
        throw new Error(`the run stands still: it is ${status.kind}`);
    }
  }

  private summary(summary: CompensationSummary | null): SeenSummary | null {
    if (summary === null) return null;
    const notes = ({ irreversible, unresolved }: CompensationSummary) =>
      [irreversible, unresolved].map((list) =>
        list.map(({ activation, reason }) => `${this.pathOf(activation)}: ${reason}`).sort(),
      );
    const [irreversible = [], unresolved = []] = notes(summary);
    return { complete: summary.complete, irreversible, unresolved };
  }

  // ----------------------------------------------------------------------------------------------------------- reading

  read(event: RunEvent): void {
    const { body } = event;
    const { asked } = this.course;
    if (asked !== null && event.seq === asked.afterSeq + 1) this.fact({ kind: 'asked', code: asked.code });
    if (body.kind === 'run_stop_intended') this.cancelled = body.intent !== 'failure';
    this.before(body);
    this.run = this.course.engine.evolve(this.run, event, this.course.program);
    this.after(body, this.run);
  }

  /** What is said of things that the event may remove. */
  private before(body: EventBody): void {
    switch (body.kind) {
      case 'run_stop_intended':
        return this.fact({ kind: 'closed', path: '' });
      case 'scope_failing': {
        const owner = this.scope(body.scope)?.owner;
        return this.fact({ kind: 'closed', path: owner == null ? '' : this.container(owner).seen.path });
      }
      case 'container_failing':
        return this.fact({ kind: 'closed', path: this.container(body.activation).seen.path });
      case 'scope_completed':
        return this.endScope(body.scope, { kind: 'completed', output: body.output });
      case 'scope_failed':
        return this.endScope(body.scope, { kind: 'failed', failure: plain(body.failure) });
      case 'scope_cancelled':
        return this.endScope(body.scope, { kind: 'cancelled' });
      case 'error_routed': {
        const path = this.pathIn(body.scope, body.node);
        this.fact({ kind: 'left', path });
        return this.add(body.scope, { kind: 'route', path, failure: plain(body.failure), to: body.to });
      }
      default:
        this.ofContainer(body);
        this.ofWait(body);
        this.ofActivity(body);
        this.ofObligation(body);
    }
  }

  /** What the run itself can be asked for once the event has been applied. */
  private after(body: EventBody, run: Run): void {
    if (body.kind === 'scope_opened') this.open(body.scope, '', this.course.program.definition.root, null, run);
    else if (body.kind === 'body_opened') this.openBody(body, run);
    else if (body.kind === 'activity_activated') {
      const path = this.pathIn(body.scope, body.node);
      const input = run.leaves.get(body.activation)?.input.value ?? null;
      const seen: StepOf<'activity'> = { kind: 'activity', path, input, attempts: 0, end: { kind: 'open' } };
      this.activities.set(body.activation, seen);
      this.add(body.scope, seen);
      this.fact({ kind: 'entered', path, what: 'activity' });
    }
  }

  private fact(fact: Fact): void {
    this.facts.push(fact);
  }

  // ------------------------------------------------------------------------------------------------------------ scopes

  private scope(id: ScopeId): ScopeRecord | undefined {
    return this.scopes.get(id);
  }

  private pathIn(id: ScopeId, node: string): string {
    const path = this.scope(id)?.seen.path ?? '';
    return path === '' ? `nodes.${node}` : `${path}.nodes.${node}`;
  }

  private add(id: ScopeId, step: SeenStep): void {
    const record = this.scope(id);
    if (record === undefined) throw new Error(`${id} was never opened`);
    record.seen.steps.push(step);
  }

  private open(id: ScopeId, path: string, region: Region, owner: ActivationId | null, run: Run): Open<SeenScope> {
    const input = run.scopes.get(id)?.input.value ?? null;
    const seen: Open<SeenScope> = { path, input, steps: [], end: { kind: 'open' } };
    this.scopes.set(id, { seen, region, owner });
    return seen;
  }

  private openBody({ scope, owner, slot }: BodyOf<'body_opened'>, run: Run): void {
    const container = this.container(owner);
    const { node, seen } = container;
    const [at, region] = bodyAt(node, slot);
    const path = seen.path + at;
    this.fact({ kind: 'entered', path, what: 'other' });
    seen.bodies.push(this.open(scope, path, region, owner, run));
    container.active += 1;
    seen.most = Math.max(seen.most, container.active);
  }

  private endScope(id: ScopeId, end: SeenScope['end']): void {
    const record = this.scope(id);
    if (record === undefined) throw new Error(`${id} was never opened`);
    record.seen.end = end;
    if (record.owner !== null) this.container(record.owner).active -= 1;
  }

  // -------------------------------------------------------------------------------------------------------- containers

  private container(id: ActivationId): ContainerRecord {
    const record = this.containers.get(id);
    if (record === undefined) throw new Error(`${id} was never entered`);
    return record;
  }

  private ofContainer(body: EventBody): void {
    switch (body.kind) {
      case 'choose_entered':
        return this.enter(body, { kind: 'choose', input: body.input, chosen: body.chosen });
      case 'loop_entered':
        return this.enter(body, { kind: 'loop', state: body.state, count: body.count ?? null });
      case 'foreach_entered':
        return this.enter(body, { kind: 'foreach', items: body.items });
      case 'parallel_entered':
        return this.enter(body, { kind: 'parallel', inputs: body.inputs });
      case 'saga_entered':
        return this.enter(body, { kind: 'saga', input: body.input });
      case 'container_completed':
        return this.endContainer(body.activation, { kind: 'completed' });
      case 'container_failed':
        return this.endContainer(body.activation, { kind: 'failed', failure: plain(body.failure) });
      case 'container_cancelled':
        return this.endContainer(body.activation, { kind: 'cancelled' });
      default:
    }
  }

  private enter(
    { activation, scope, node: key }: { activation: ActivationId; scope: ScopeId; node: string },
    captured: Captured,
  ): void {
    const path = this.pathIn(scope, key);
    const node = this.scope(scope)?.region.nodes[key];
    if (node === undefined || !isContainer(node)) throw new Error(`${path} is no container`);
    const end: SeenContainer['end'] = { kind: 'open' };
    const seen: StepOf<'container'> = {
      kind: 'container',
      path,
      container: node.kind,
      captured,
      bodies: [],
      most: 0,
      end,
    };
    this.containers.set(activation, { seen, node, active: 0 });
    this.add(scope, seen);
    this.fact({ kind: 'entered', path, what: captured.kind === 'saga' ? 'saga' : 'other' });
  }

  private endContainer(id: ActivationId, end: SeenContainer['end']): void {
    const { seen } = this.container(id);
    seen.end = end;
    this.fact({ kind: end.kind === 'completed' ? 'completed' : 'over', path: seen.path });
  }

  // ------------------------------------------------------------------------------------------------------------- waits

  private ofWait(body: EventBody): void {
    switch (body.kind) {
      case 'timer_set':
        return this.openWait(body, null);
      case 'wait_opened':
        return this.openWait(body, { signal: body.signal, key: body.key });
      case 'signal_accepted':
        this.payloads.set(body.event, body.payload);
        return;
      case 'timer_fired':
      case 'wait_timed_out':
        return this.endWait(body.wait, { kind: 'elapsed' });
      case 'wait_cancelled':
        return this.endWait(body.wait, { kind: 'cancelled' });
      case 'wait_satisfied': {
        const payload = this.payloads.get(body.event) ?? null;
        return this.endWait(body.wait, { kind: 'satisfied', signal: body.event, payload });
      }
      default:
    }
  }

  private openWait(
    { wait, scope, node }: { wait: WaitId; scope: ScopeId; node: string },
    address: StepOf<'wait'>['address'],
  ): void {
    const path = this.pathIn(scope, node);
    const seen: StepOf<'wait'> = { kind: 'wait', path, address, end: { kind: 'open' } };
    this.waits.set(wait, seen);
    this.add(scope, seen);
    this.fact({ kind: 'entered', path, what: 'other' });
  }

  private endWait(id: WaitId, end: StepOf<'wait'>['end']): void {
    const seen = this.waits.get(id);
    if (seen === undefined) throw new Error(`${id} was never opened`);
    if (seen.end.kind !== 'open') throw new Error(`${seen.path} ends twice`);
    seen.end = end;
  }

  // -------------------------------------------------------------------------------------------------------- activities

  private activity(id: ActivationId): StepOf<'activity'> {
    const seen = this.activities.get(forwardOf(id));
    if (seen === undefined) throw new Error(`${id} was never activated`);
    return seen;
  }

  private pathOf(id: ActivationId): string {
    return this.activity(id).path;
  }

  private ofActivity(body: EventBody): void {
    switch (body.kind) {
      case 'attempt_granted':
        return this.begun(body.activation, body.generation);
      case 'attempt_lost':
        if (body.reason === 'returned') this.count(body.activation, -1);
        return;
      case 'activity_succeeded':
        return this.settle(body.activation, { kind: 'completed', output: body.output });
      case 'activity_failed':
        return this.settle(body.activation, { kind: 'failed', failure: plain(body.failure) });
      case 'activity_cancelled':
        if (roleOf(body.activation) === 'forward') this.settle(body.activation, { kind: 'cancelled' });
        return;
      default:
    }
  }

  private begun(activation: ActivationId, generation: number): void {
    this.count(activation, 1);
    const role = roleOf(activation);
    const told = this.course.told.get(`${activation}@${generation}`);
    if (told === undefined) throw new Error(`${activation} was granted to nobody`);
    if (role !== 'reconciliation') this.fact({ kind: 'begun', path: this.pathOf(activation), role, ...told });
  }

  private count(activation: ActivationId, change: 1 | -1): void {
    const role = roleOf(activation);
    if (role === 'forward') this.activity(activation).attempts += change;
    else if (role === 'compensation') this.undoing.set(activation, (this.undoing.get(activation) ?? 0) + change);
  }

  private settle(id: ActivationId, end: StepOf<'activity'>['end']): void {
    const seen = this.activity(id);
    if (seen.end.kind !== 'open') throw new Error(`${seen.path} ends twice`);
    seen.end = end;
    this.fact({ kind: 'settled', path: seen.path, succeeded: end.kind === 'completed' });
  }

  private ofObligation(body: EventBody): void {
    switch (body.kind) {
      case 'obligation_registered': {
        const handler = `${body.handler.name}/v${body.handler.version}`;
        const owed = { kind: 'undone', handler, input: body.input } as const;
        return this.fact({ kind: 'owes', path: this.pathOf(body.activation), owed });
      }
      case 'obligation_blocked': {
        const owed = { kind: 'lacks_input', handler: `${body.handler.name}/v${body.handler.version}` } as const;
        return this.fact({ kind: 'owes', path: this.pathOf(body.activation), owed });
      }
      case 'obligation_irreversible': {
        const owed = { kind: 'irreversible', reason: body.reason } as const;
        return this.fact({ kind: 'owes', path: this.pathOf(body.activation), owed });
      }
      case 'intervention_resolved':
        if (body.resolution.kind === 'input') this.fact({ kind: 'supplied', path: this.pathOf(body.activation) });
        return;
      case 'compensation_started':
        return this.fact({ kind: 'undoing', path: this.pathOf(body.activation) });
      case 'compensation_completed': {
        const attempts = this.undoing.get(`${body.activation}c` as ActivationId) ?? 0;
        return this.fact({ kind: 'undone', path: this.pathOf(body.activation), attempts });
      }
      default:
    }
  }
}

/** What a body adds to the path of its container, and its region. */
function bodyAt(node: ContainerNode, slot: number): readonly [string, Region] {
  const bodies = bodiesOf(node);
  const isNamed = node.kind === 'choose' || node.kind === 'parallel';
  const body = bodies.at(isNamed ? slot : 0);
  if (body === undefined) throw new Error(`a ${node.kind} has no body ${slot}`);
  if (isNamed) return [`.${body.name}`, body.region];
  return [node.kind === 'saga' ? '' : `[${slot}]`, body.region];
}

function isContainer(node: Node): node is ContainerNode {
  return bodiesOf(node).length > 0;
}

function plain({ code, message }: { readonly code: string; readonly message: string }) {
  return { code, message };
}
