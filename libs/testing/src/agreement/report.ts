/** A trial that failed, short enough to be read: the document, what the world does, and both courses side by side. */
import { printDocument } from '@graphrun/dsl';
import type {
  Course,
  CourseEnd,
  Ended,
  Ending,
  Observation,
  Prediction,
  SeenEnd,
  SeenScope,
  SeenStep,
  Step,
  WaitEnd,
} from '../oracle/index.js';
import type { Engine } from './engine.js';
import { carryOut, type Result, type Trial } from './trial.js';

const MOST_DIFFERENCES = 5;

/** The trial once more, with everything that was asked of its script. */
export function reportOf(engine: Engine, trial: Trial): string {
  const parts = [
    section('document', printDocument(trial.workflow.document)),
    section('input', JSON.stringify({ n: trial.n, tag: 'start' })),
    section('signals there from the beginning', String(trial.signals)),
  ];
  if (trial.stop !== null) parts.push(section('stopped', `by ${trial.stop.by}, after ${trial.stop.after} moves`));
  try {
    const result = carryOut(engine, trial);
    parts.push(section('script', calls(result)), ...courses(result));
    parts.unshift(section('differences', result.differences.slice(0, MOST_DIFFERENCES).join('\n')));
  } catch (error) {
    parts.unshift(section('error', error instanceof Error ? error.message : String(error)));
  }
  return parts.join('\n');
}

function section(title: string, text: string): string {
  return `--- ${title}\n${text.trimEnd()}\n`;
}

function courses({ predicted, seen, course }: Result): readonly string[] {
  const [first, ...others] = predicted ?? [];
  const more = others.length === 0 ? '' : `, or in one of ${others.length} other ways`;
  return [
    section(`predicted${more}`, first === undefined ? 'nothing' : predictionText(first)),
    section('seen', observationText(seen)),
    section('history', course.history.map(({ seq, body }) => `${seq} ${JSON.stringify(body)}`).join('\n')),
  ];
}

/** How the attempts ended that were begun. */
function calls({ seen, script }: Result): string {
  const attempts = new Map<string, number>();
  const lines: string[] = [];
  for (const fact of seen.facts) {
    if (fact.kind !== 'begun') continue;
    const { path, role } = fact;
    const attempt = (attempts.get(`${path} ${role}`) ?? 0) + 1;
    attempts.set(`${path} ${role}`, attempt);
    const ending = endingText(script.ending({ path, role, attempt }));
    lines.push(`${role === 'forward' ? '' : 'undoing '}${path} attempt ${attempt}: ${ending}`);
  }
  return lines.join('\n');
}

function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'error':
      return ending.code;
    case 'success':
    case 'undecoded':
      return ending.kind;
    default:
      return `${ending.kind}, ${ending.applied ? 'applied' : 'not applied'}, a person ${ending.person}`;
  }
}

// ------------------------------------------------------------------------------------------------------------- predicted

function predictionText({ outcome, root }: Prediction): string {
  return [`the run: ${short(outcome)}`, ...courseLines(root, 1)].join('\n');
}

function courseLines({ steps, end }: Course, depth: number): readonly string[] {
  return [...steps.flatMap((step) => stepLines(step, depth)), indented(depth, endText(end))];
}

function stepLines(step: Step, depth: number): readonly string[] {
  switch (step.kind) {
    case 'activity': {
      const owes = step.owes === null ? '' : `, owes ${short(step.owes)}`;
      const attempts = `${step.attempts.length} attempts`;
      return [indented(depth, `${step.path} ${step.activity} ${attempts}: ${endText(step.ended)}${owes}`)];
    }
    case 'wait':
      return [indented(depth, `${step.path} waits for ${waitText(step.address)}: ${endText(step.ended)}`)];
    case 'route':
      return [indented(depth, `${step.path} leads with ${step.failure.code} to ${step.to}`)];
    case 'container': {
      const head = indented(depth, `${step.path} ${step.container}: ${endText(step.ended)}`);
      return [
        head,
        ...step.bodies.flatMap((body) => [indented(depth + 1, body.path), ...courseLines(body, depth + 2)]),
      ];
    }
  }
}

// ------------------------------------------------------------------------------------------------------------------ seen

function observationText({ outcome, root, facts }: Observation): string {
  const order = facts.filter(({ kind }) => kind !== 'begun' && kind !== 'entered').map(short);
  return [`the run: ${short(outcome)}`, ...scopeLines(root, 1), 'in this order', ...order].join('\n');
}

function scopeLines({ steps, end }: SeenScope, depth: number): readonly string[] {
  return [...steps.flatMap((step) => seenLines(step, depth)), indented(depth, endText(end))];
}

function seenLines(step: SeenStep, depth: number): readonly string[] {
  switch (step.kind) {
    case 'activity':
      return [indented(depth, `${step.path} ${step.attempts} attempts: ${endText(step.end)}`)];
    case 'wait':
      return [indented(depth, `${step.path} waits for ${waitText(step.address)}: ${endText(step.end)}`)];
    case 'route':
      return [indented(depth, `${step.path} leads with ${step.failure.code} to ${step.to}`)];
    case 'container': {
      const head = indented(depth, `${step.path} ${step.container}: ${short(step.end)}`);
      return [head, ...step.bodies.flatMap((body) => [indented(depth + 1, body.path), ...scopeLines(body, depth + 2)])];
    }
  }
}

function endText(
  end: CourseEnd | Ended | SeenEnd | WaitEnd | { readonly kind: 'cancelled' | 'open' | 'elapsed' },
): string {
  switch (end.kind) {
    case 'completed':
      return `completed ${short(end.output)}`;
    case 'failed':
      return `failed ${end.failure.code}`;
    case 'satisfied':
      return `took "${end.signal}"`;
    default:
      return end.kind;
  }
}

function waitText(address: { readonly signal: string; readonly key: string } | null): string {
  return address === null ? 'time' : `${address.signal} "${address.key}"`;
}

function short(value: unknown): string {
  return JSON.stringify(value);
}

function indented(depth: number, text: string): string {
  return '  '.repeat(depth) + text;
}
