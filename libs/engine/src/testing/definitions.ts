/** Definitions for tests: a sequence of activities over one schema, with what each contract needs said in a word. */
import type { Artifact, Contract } from '@graphrun/dsl';
import { compileYaml, parseCatalog } from '@graphrun/dsl';

export interface StepOptions {
  readonly effects?: Contract['effects'];
  readonly recovery?: Contract['recovery'];
  /** Duration text such as `2s`. */
  readonly timeout?: string;
  readonly maxAttempts?: number;
}

/** A workflow that runs the named activities one after the other, passing an `item/v1` along. */
export function sequence(
  id: string,
  steps: Readonly<Record<string, StepOptions>>,
  version = 1,
  options: { readonly runTimeout?: string } = {},
): Artifact {
  const names = Object.keys(steps);
  const catalog = parseCatalog(
    JSON.stringify({
      format: 'graphrun.catalog/v1',
      schemas: {
        'item/v1': {
          type: 'object',
          properties: { id: { type: 'string' }, n: { type: 'integer' } },
          required: ['id', 'n'],
          additionalProperties: false,
        },
      },
      activities: names.map((name) => ({
        name,
        version: 1,
        input_schema: 'item/v1',
        output_schema: 'item/v1',
        execution: 'async',
        effects: steps[name]?.effects ?? 'pure',
        recovery: steps[name]?.recovery ?? 'RetrySafe',
        error_codes: [{ code: 'refused', retryable: false }],
      })),
      reconcilers: [],
    }),
  );
  if (!catalog.ok) throw new Error(catalog.diagnostics.map((d) => d.message).join('\n'));
  const lines = [
    'dsl: graphrun/v1',
    `id: ${id}`,
    `version: ${version}`,
    'input_schema: item/v1',
    'output_schema: item/v1',
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
  lines.push('  done:', '    kind: complete', `    output: {from: nodes.n${names.length - 1}.output}`, '');
  const compiled = compileYaml(lines.join('\n'), { catalog: catalog.catalog });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((d) => `${d.line}:${d.column} ${d.message}`).join('\n'));
  return compiled.artifact;
}
