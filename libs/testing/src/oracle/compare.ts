/** Holds what was seen of a run against what was predicted. Differences are sentences, the first one tells most. */
import { canonicalize, type Json } from '@graphrun/dsl';
import type {
  Fact,
  Observation,
  SeenActivity,
  SeenContainer,
  SeenEnd,
  SeenOutcome,
  SeenScope,
  SeenStep,
  SeenWait,
} from './observation.js';
import type { ActivityStep, ContainerStep, Course, Ended, Outcome, Prediction, Step, WaitStep } from './prediction.js';
import { Undoing } from './undoing.js';

/** No differences for a run that went as one of the predictions says; else those to the nearest of them. */
export function differences(predictions: readonly Prediction[], seen: Observation): readonly string[] {
  let nearest: readonly string[] | null = null;
  for (const prediction of predictions) {
    const found = new Comparison(seen).differences(prediction);
    if (nearest === null || found.length < nearest.length) nearest = found;
    if (found.length === 0) break;
  }
  return nearest ?? ['nothing was predicted'];
}

/** Whether something stopped a scope on its way, so that only a beginning of its course was seen. */
type Extent = 'whole' | 'stopped';

class Comparison {
  private readonly found: string[] = [];

  constructor(private readonly seen: Observation) {}

  differences({ outcome, root }: Prediction): readonly string[] {
    const { seen } = this;
    const stopped = stoppedBy(seen.facts);
    const cancelled = stopped !== null;
    if (stopped === null) this.outcome(outcome);
    else this.same('', 'outcome', { kind: 'cancelled', code: stopped }, codeOf(seen.outcome));
    this.course(root, seen.root, cancelled ? 'stopped' : 'whole');
    const undoing = new Undoing(root);
    for (const fact of seen.facts) undoing.add(fact);
    return [...this.found, ...undoing.differences(seen.outcome)];
  }

  private note(path: string, what: string): void {
    this.found.push(`${path === '' ? 'the run' : path}: ${what}`);
  }

  private same(path: string, what: string, predicted: unknown, seen: unknown): void {
    const [wanted, found] = [text(predicted), text(seen)];
    if (wanted !== found) this.note(path, `${what} should be ${wanted}, not ${found}`);
  }

  private outcome(predicted: Outcome): void {
    const { outcome } = this.seen;
    const seen = outcome.kind === 'failed' ? { kind: outcome.kind, failure: outcome.failure } : outcome;
    this.same('', 'outcome', predicted, seen);
  }

  // ---------------------------------------------------------------------------------------------------------- scopes

  private course(course: Course, seen: SeenScope, extent: Extent): void {
    const { path } = course;
    this.same(path, 'input', course.input, seen.input);
    seen.steps.forEach((step, index) => {
      const predicted = course.steps[index];
      const isLast = index + 1 === seen.steps.length;
      if (predicted === undefined) this.note(path, `${step.kind} at ${step.path} should not be there`);
      else this.step(predicted, step, isLast ? extent : 'whole');
    });
    const missing = course.steps[seen.steps.length];
    const { kind } = seen.end;
    if (extent === 'whole' || kind === 'completed') {
      if (missing !== undefined) this.note(path, `${missing.kind} at ${missing.path} is missing`);
      this.end(path, course.end, seen.end);
    } else if (kind !== 'cancelled') this.note(path, `should be stopped, not ${kind}`);
  }

  private end(path: string, predicted: Course['end'], seen: SeenEnd): void {
    switch (predicted.kind) {
      case 'never':
        return this.same(path, 'end', { kind: 'open' }, seen);
      case 'continued':
        // How a run continues stands in its outcome.
        return;
      default:
        this.same(path, 'end', predicted, seen);
    }
  }

  private step(predicted: Step, seen: SeenStep, extent: Extent): void {
    const what = predicted.kind === 'wait' && predicted.address === null ? 'timer' : predicted.kind;
    if (predicted.path !== seen.path || predicted.kind !== seen.kind) {
      this.note(predicted.path, `${what} should be next, not ${seen.kind} at ${seen.path}`);
    } else if (predicted.kind === 'activity' && seen.kind === 'activity') this.activity(predicted, seen, extent);
    else if (predicted.kind === 'container' && seen.kind === 'container') this.container(predicted, seen, extent);
    else if (predicted.kind === 'wait' && seen.kind === 'wait') this.wait(predicted, seen, extent);
    else this.same(predicted.path, 'route', predicted, seen);
  }

  // ---------------------------------------------------------------------------------------------------------- leaves

  private activity(predicted: ActivityStep, seen: SeenActivity, extent: Extent): void {
    const { path, attempts, ended } = predicted;
    this.same(path, 'input', predicted.input, seen.input);
    if (extent === 'whole' || (seen.attempts === attempts.length && isSame(ended, seen.end))) {
      this.same(path, 'number of attempts', attempts.length, seen.attempts);
      this.same(path, 'end', ended, seen.end);
      return;
    }
    const last = attempts[seen.attempts - 1];
    if (seen.attempts > attempts.length) {
      this.note(path, `should have at most ${attempts.length} attempts, not ${seen.attempts}`);
    } else if (seen.end.kind !== 'cancelled') {
      this.same(path, `end, stopped after ${seen.attempts} attempts,`, last?.settles ?? 'cancelled', seen.end);
    } else if (last?.mayBeCancelled === false) {
      this.note(path, `should not be called cancelled after ${seen.attempts} attempts: it may have had its effect`);
    }
  }

  private wait(predicted: WaitStep, seen: SeenWait, extent: Extent): void {
    this.same(predicted.path, 'address', predicted.address, seen.address);
    if (extent === 'stopped' && seen.end.kind === 'cancelled') return;
    this.same(predicted.path, 'end', predicted.ended.kind === 'never' ? { kind: 'open' } : predicted.ended, seen.end);
  }

  // ------------------------------------------------------------------------------------------------------ containers

  private container(predicted: ContainerStep, seen: SeenContainer, extent: Extent): void {
    const { path, ended, window } = predicted;
    this.same(path, 'kind', predicted.container, seen.container);
    this.same(path, 'what it takes from its scope', predicted.captured, seen.captured);
    if (seen.most > window) this.note(path, `should have at most ${window} bodies at once, not ${seen.most}`);
    const isStopped = extent === 'stopped' && seen.end.kind === 'cancelled';
    if (!isStopped) {
      const { kind } = ended;
      const end = kind === 'failed' ? ended : { kind: kind === 'never' ? 'open' : kind };
      this.same(path, 'end', end, seen.end);
    }
    const mayLack = isStopped || (predicted.primary !== null && isTogether(predicted));
    if (!mayLack) this.same(path, 'number of bodies', predicted.bodies.length, seen.bodies.length);
    seen.bodies.forEach((body, slot) => {
      const course = predicted.bodies[slot];
      if (course?.path !== body.path) this.note(path, `${body.path} should not be opened`);
      else this.course(course, body, extentOf(predicted, seen, slot, isStopped));
    });
    const { primary } = predicted;
    if (!isStopped && primary !== null && seen.bodies[primary] === undefined) this.note(path, `has no body ${primary}`);
  }
}

/** What the run was stopped for from outside; null if nobody stopped it, or only after it had begun to stop by itself. */
function stoppedBy(facts: readonly Fact[]): string | null {
  const first = facts.find((fact) => fact.kind === 'asked' || (fact.kind === 'closed' && fact.path === ''));
  return first?.kind === 'asked' ? first.code : null;
}

function codeOf(outcome: SeenOutcome): Json {
  const { kind } = outcome;
  return 'failure' in outcome ? { kind, code: outcome.failure.code } : { kind };
}

/** Whether a body of the container went to its end. */
function extentOf(predicted: ContainerStep, seen: SeenContainer, slot: number, isStopped: boolean): Extent {
  if (isTogether(predicted)) return isStopped || othersAreStopped(predicted, slot) ? 'stopped' : 'whole';
  return isStopped && slot + 1 === seen.bodies.length ? 'stopped' : 'whole';
}

function othersAreStopped({ primary }: ContainerStep, slot: number): boolean {
  return primary !== null && primary !== slot;
}

function isTogether({ container }: ContainerStep): boolean {
  return container === 'foreach' || container === 'parallel';
}

function isSame(predicted: Ended, seen: SeenEnd): boolean {
  return text(predicted) === text(seen);
}

/** For comparing and for reading; what is compared is JSON. */
function text(value: unknown): string {
  return canonicalize(value as Json);
}
