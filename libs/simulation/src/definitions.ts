/** The workflows of the simulation: all that the engine can do, in runs of a few steps. */
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import type { Artifact } from '@graphrun/dsl';

export interface ActivityKind {
  readonly effects: 'pure' | 'external';
  readonly recovery: 'RetrySafe' | 'Manual';
  readonly reconciler?: string;
}

const PURE: ActivityKind = { effects: 'pure', recovery: 'RetrySafe' };
const SAFE: ActivityKind = { effects: 'external', recovery: 'RetrySafe' };
const MANUAL: ActivityKind = { effects: 'external', recovery: 'Manual' };

export const ACTIVITIES: Readonly<Record<string, ActivityKind>> = {
  look: PURE,
  sum: PURE,
  reserve: SAFE,
  release: SAFE,
  charge: { ...MANUAL, reconciler: 'charge.lookup' },
  refund: { ...MANUAL, reconciler: 'refund.lookup' },
  ship: SAFE,
  wire: MANUAL,
};

const RETRY = 'retry: {max_attempts: 3, errors: [busy], backoff: {initial: 200ms, multiplier: 2, max: 1s}}';
const END = 'end: {kind: complete, output: {from: scope.input}}';

function step(name: string, activity: string, next: string, fields = ''): string {
  return `${name}: {kind: activity, activity: {name: ${activity}, version: 1}, input: {from: scope.input}, timeout: 2s, ${RETRY}, ${fields}next: ${next}}`;
}

function undoneBy(name: string): string {
  return `compensation: {kind: activity, activity: {name: ${name}, version: 1}, input: {from: forward.output}, timeout: 2s}, `;
}

const IRREVERSIBLE = 'compensation: {kind: irreversible, reason: it is on its way}, ';

function region(body: string): string {
  return `{input_schema: item/v1, output_schema: item/v1, ${body}}`;
}

function one(activity: string): string {
  return region(`start: it, nodes: {${step('it', activity, 'end')}, ${END}}`);
}

function saga(name: string, body: string, next: string, fields = ''): string {
  return `${name}: {kind: saga, input: {from: scope.input}, body: ${body}, ${fields}next: ${next}}`;
}

const ORDER = region(
  `start: reserve, nodes: {${step('reserve', 'reserve', 'charge', undoneBy('release'))},
   ${step('charge', 'charge', 'ship', undoneBy('refund'))}, ${step('ship', 'ship', 'end', IRREVERSIBLE)}, ${END}}`,
);
const INNER = region(
  `start: reserve, nodes: {${step('reserve', 'reserve', 'look', undoneBy('release'))}, ${step('look', 'look', 'end')}, ${END}}`,
);
const OUTER = region(
  `start: charge, nodes: {${step('charge', 'charge', 'inner', undoneBy('refund'))}, ${saga('inner', INNER, 'ship')}, ${step('ship', 'ship', 'end', IRREVERSIBLE)}, ${END}}`,
);

function branches(...bodies: readonly string[]): string {
  const list = bodies.map((body, index) => `{name: b${index}, input: {from: scope.input}, body: ${body}}`);
  return `kind: parallel, branches: [${list.join(', ')}]`;
}

const SIGNALS = 'signals: {news: {schema: item/v1}}\n';
const WAIT = 'kind: wait_signal, signal: news, key: {literal: k}';

/** The body of each workflow, from `start:` on. */
const BODIES: Readonly<Record<string, string>> = {
  sequence: `start: a\nnodes: {${step('a', 'look', 'b')}, ${step('b', 'reserve', 'c')}, ${step('c', 'sum', 'end')}, ${END}}`,
  manual: `start: a\nnodes: {${step('a', 'charge', 'b')}, ${step('b', 'look', 'end')}, ${END}}`,
  asked: `start: a\nnodes: {${step('a', 'wire', 'b')}, ${step('b', 'look', 'end')}, ${END}}`,
  order: `start: s\nnodes: {${saga('s', ORDER, 'end')}, ${END}}`,
  nested: `start: s\nnodes: {${saga('s', OUTER, 'end')}, ${END}}`,
  routed: `start: s\nnodes: {${saga('s', ORDER, 'end', 'on_error: [{codes: any, next: other}], ')}, ${step('other', 'look', 'end')}, ${END}}`,
  each: `start: e\nnodes: {e: {kind: foreach, items: {array: [{from: scope.input}, {from: scope.input}, {from: scope.input}]}, item_schema: item/v1, max_items: 5, max_concurrency: 2, body: ${one('reserve')}, next: end}, ${END}}`,
  both: `start: p\nnodes: {p: {${branches(one('look'), one('charge'), one('sum'))}, next: end}, ${END}}`,
  sagas: `start: p\nnodes: {p: {${branches(region(`start: s, nodes: {${saga('s', ORDER, 'end')}, ${END}}`), region(`start: s, nodes: {${saga('s', INNER, 'end')}, ${END}}`))}, next: end}, ${END}}`,
  signalled: `${SIGNALS}start: a\nnodes: {${step('a', 'look', 'w')}, w: {${WAIT}, timeout: 3s, on_timeout: late, next: b}, ${step('b', 'reserve', 'end')}, ${step('late', 'sum', 'end')}, ${END}}`,
  waiting: `${SIGNALS}start: w\nnodes: {w: {${WAIT}, timeout: null, next: b}, ${step('b', 'reserve', 'end')}, ${END}}`,
  delayed: `start: d\nnodes: {d: {kind: delay, duration: 1500ms, next: a}, ${step('a', 'look', 'end')}, ${END}}`,
  limited: `run_timeout: 4s\nstart: s\nnodes: {${saga('s', ORDER, 'd')}, d: {kind: delay, duration: 1s, next: end}, ${END}}`,
  again: `start: r\nnodes: {r: {kind: repeat, state: {from: scope.input}, state_schema: item/v1, max_iterations: 5, count: {literal: 3}, body: ${one('look')}, next: end}, ${END}}`,
};

export interface WorkflowKind {
  readonly id: string;
  readonly signals: boolean;
}

export const WORKFLOWS: readonly WorkflowKind[] = Object.entries(BODIES).map(([id, body]) => ({
  id,
  signals: body.startsWith(SIGNALS),
}));

let compiled: readonly Artifact[] | null = null;

export function artifacts(): readonly Artifact[] {
  compiled ??= Object.entries(BODIES).map(([id, body]) => compile(id, body));
  return compiled;
}

function compile(id: string, body: string): Artifact {
  const document = `dsl: graphrun/v1\nid: ${id}\nversion: 1\ninput_schema: item/v1\noutput_schema: item/v1\n${body}\n`;
  const result = compileYaml(document, { catalog: catalog(), file: `${id}.yaml` });
  if (!result.ok)
    throw new Error(`${id}: ${result.diagnostics.map((d) => `${d.line}:${d.column} ${d.message}`).join('\n')}`);
  return result.artifact;
}

function catalog(): Parameters<typeof compileYaml>[1]['catalog'] {
  const entries = Object.entries(ACTIVITIES);
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
      },
      activities: entries.map(([name, { effects, recovery, reconciler }]) => ({
        name,
        version: 1,
        input_schema: 'item/v1',
        output_schema: 'item/v1',
        execution: 'async',
        effects,
        recovery,
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
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(({ message }) => message).join('\n'));
  return parsed.catalog;
}
