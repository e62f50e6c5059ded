/** Programs for tests: a chain of activities, then `complete` or `fail`, written as a document and really compiled. */
import { compileYaml, loadProgram, parseCatalog, type Effects, type Program, type Recovery } from '@graphrun/dsl';

export interface StepSpec {
  readonly effects?: Effects;
  readonly recovery?: Recovery;
  readonly timeoutMs?: number;
  /** Codes that are retried: `busy` is declared retryable, `broken` is declared terminal. */
  readonly retryErrors?: readonly string[];
  readonly maxAttempts?: number;
  readonly initialMs?: number;
  readonly maxMs?: number;
  /** Binding of the step's input; by default the output of the step before. */
  readonly input?: unknown;
}

export interface ChainSpec {
  readonly steps: readonly StepSpec[];
  readonly runTimeoutMs?: number;
  /** Ends in this `fail` node instead of `complete`. */
  readonly fail?: { readonly code: string; readonly message: string };
  /** Binding of the output; by default the output of the last step. */
  readonly output?: unknown;
}

/** The schema of all values in a chain: an object with an integer `n`, and what else one likes. */
const COUNT_SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

export function chain(spec: ChainSpec): Program {
  const nodes: Record<string, unknown> = {};
  spec.steps.forEach((step, index) => (nodes[`step${index + 1}`] = activityNode(step, index, spec.steps.length)));
  nodes['end'] = spec.fail
    ? { kind: 'fail', error: spec.fail }
    : { kind: 'complete', output: spec.output ?? { from: outputOf(spec.steps.length) } };
  // JSON is YAML, so the document needs no writer of its own.
  const document = JSON.stringify({
    dsl: 'graphrun/v1',
    id: 'chain',
    version: 1,
    input_schema: 'count/v1',
    output_schema: 'count/v1',
    ...(spec.runTimeoutMs === undefined ? {} : { run_timeout: `${spec.runTimeoutMs}ms` }),
    start: spec.steps.length === 0 ? 'end' : 'step1',
    nodes,
  });
  return compile(document, spec.steps);
}

function activityNode(step: StepSpec, index: number, count: number): unknown {
  return {
    kind: 'activity',
    activity: { name: `work.step${index + 1}`, version: 1 },
    input: step.input ?? { from: outputOf(index) },
    timeout: `${step.timeoutMs ?? 10_000}ms`,
    retry: {
      errors: step.retryErrors ?? [],
      max_attempts: step.maxAttempts ?? 3,
      backoff: { initial: `${step.initialMs ?? 1_000}ms`, multiplier: 2, max: `${step.maxMs ?? 60_000}ms` },
    },
    next: index + 1 === count ? 'end' : `step${index + 2}`,
  };
}

function outputOf(steps: number): string {
  return steps === 0 ? 'workflow.input' : `nodes.step${steps}.output`;
}

function compile(document: string, steps: readonly StepSpec[]): Program {
  const published = parseCatalog(
    JSON.stringify({
      format: 'graphrun.catalog/v1',
      schemas: { 'count/v1': COUNT_SCHEMA },
      activities: steps.map((step, index) => ({
        name: `work.step${index + 1}`,
        version: 1,
        input_schema: 'count/v1',
        output_schema: 'count/v1',
        execution: 'async',
        effects: step.effects ?? 'pure',
        recovery: step.recovery ?? 'RetrySafe',
        error_codes: [
          { code: 'busy', retryable: true },
          { code: 'broken', retryable: false },
        ],
      })),
      reconcilers: [],
    }),
  );
  if (!published.ok) throw new Error(JSON.stringify(published.diagnostics, null, 2));
  const compiled = compileYaml(document, { catalog: published.catalog });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics, null, 2));
  return loadProgram(compiled.artifact);
}
