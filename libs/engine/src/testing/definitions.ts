/** Definitions for tests: documents over one schema and a few activities, with what each contract needs said in a word. */
import type { Artifact, Catalog, Contract } from '@graphrun/dsl';
import { compileYaml, parseCatalog } from '@graphrun/dsl';

export interface ActivityOptions {
  readonly effects?: Contract['effects'];
  readonly recovery?: Contract['recovery'];
  /** Name of its reconciler. */
  readonly reconciler?: string;
}

export interface StepOptions extends ActivityOptions {
  /** Duration text such as `2s`. */
  readonly timeout?: string;
  readonly maxAttempts?: number;
}

/**
 * A document without its head: `item/v1` (`{id, n}`) goes in and comes out. `body` begins at `start:`, or at anything else that
 * stands before it.
 */
export function definition(
  id: string,
  activities: Readonly<Record<string, ActivityOptions>>,
  body: string,
  options: { readonly version?: number; readonly output?: string } = {},
): Artifact {
  const head = [
    'dsl: graphrun/v1',
    `id: ${id}`,
    `version: ${options.version ?? 1}`,
    'input_schema: item/v1',
    `output_schema: ${options.output ?? 'item/v1'}`,
  ];
  const compiled = compileYaml([...head, body, ''].join('\n'), { catalog: catalogOf(activities), file: `${id}.yaml` });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((d) => `${d.line}:${d.column} ${d.message}`).join('\n'));
  return compiled.artifact;
}

/** A workflow that runs the named activities one after the other, passing an `item/v1` along. */
export function sequence(
  id: string,
  steps: Readonly<Record<string, StepOptions>>,
  version = 1,
  options: { readonly runTimeout?: string } = {},
): Artifact {
  const names = Object.keys(steps);
  const lines = [
    ...(options.runTimeout === undefined ? [] : [`run_timeout: ${options.runTimeout}`]),
    'start: n0',
    'nodes:',
  ];
  names.forEach((name, index) => {
    const { timeout, maxAttempts } = steps[name] ?? {};
    lines.push(
      `  n${index}:`,
      '    kind: activity',
      `    activity: {name: ${name}, version: 1}`,
      `    input: {from: ${index === 0 ? 'workflow.input' : `nodes.n${index - 1}.output`}}`,
      ...(timeout === undefined ? [] : [`    timeout: ${timeout}`]),
      ...(maxAttempts === undefined ? [] : [`    retry: {max_attempts: ${maxAttempts}}`]),
      `    next: ${index + 1 < names.length ? `n${index + 1}` : 'done'}`,
    );
  });
  lines.push('  done:', '    kind: complete', `    output: {from: nodes.n${names.length - 1}.output}`);
  return definition(id, steps, lines.join('\n'), { version });
}

/** Activities from `item/v1` to `item/v1`. Each may report `refused`, which is final, and `busy`, which is not. */
function catalogOf(activities: Readonly<Record<string, ActivityOptions>>): Catalog {
  const entries = Object.entries(activities);
  const parsed = parseCatalog(
    JSON.stringify({
      format: 'graphrun.catalog/v1',
      schemas: {
        'item/v1': {
          type: 'object',
          properties: { id: { type: 'string' }, n: { type: 'integer' } },
          required: ['id', 'n'],
          additionalProperties: false,
        },
        'many/v1': { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] },
      },
      activities: entries.map(([name, { effects, recovery, reconciler }]) => ({
        name,
        version: 1,
        input_schema: 'item/v1',
        output_schema: 'item/v1',
        execution: 'async',
        effects: effects ?? 'pure',
        recovery: recovery ?? 'RetrySafe',
        error_codes: [
          { code: 'refused', retryable: false },
          { code: 'busy', retryable: true },
        ],
        ...(reconciler === undefined ? {} : { reconciler: { name: reconciler, version: 1 } }),
      })),
      reconcilers: entries.flatMap(([name, { reconciler }]) =>
        reconciler === undefined ? [] : [{ name: reconciler, version: 1, forward_activity: { name, version: 1 } }],
      ),
    }),
  );
  if (!parsed.ok) throw new Error(parsed.diagnostics.map((d) => d.message).join('\n'));
  return parsed.catalog;
}
