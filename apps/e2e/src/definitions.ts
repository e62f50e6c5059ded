/** Definitions of the campaign's own activities. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exampleCatalogText } from '@graphrun/examples';

/** Beside `src` and `dist`, so both find it. */
export const faultyCatalogPath = fileURLToPath(new URL('../definitions/catalog.json', import.meta.url));

export interface OneStep {
  readonly workflow: string;
  readonly activity: string;
  /** 1: external and RetrySafe, 2: pure. */
  readonly version: 1 | 2;
  readonly timeout: string;
  readonly maxAttempts: number;
}

/** A workflow of one activity that gives its input on and has the activity's output as its own. */
export function oneStep({ workflow, activity, version, timeout, maxAttempts }: OneStep): string {
  return `
dsl: graphrun/v1
id: ${workflow}
version: 1
input_schema: e2e.value/v1
output_schema: e2e.value/v1
start: work
nodes:
  work:
    kind: activity
    activity: { name: ${activity}, version: ${version} }
    input: { from: workflow.input }
    timeout: ${timeout}
    retry:
      max_attempts: ${maxAttempts}
      backoff: { initial: 10ms, max: 10ms }
    next: finish
  finish:
    kind: complete
    output: { from: nodes.work.output }
`;
}

/** Definitions of the campaign and the suite, by the names of their files. */
export type DefinitionName =
  | 'alarm'
  | 'blocking'
  | 'booking'
  | 'charge'
  | 'five-steps'
  | 'held-saga'
  | 'increment'
  | 'irreversible'
  | 'late'
  | 'long-loop'
  | 'manual'
  | 'transfer'
  | 'wide-foreach';

export function definitionText(name: DefinitionName): string {
  return readFileSync(new URL(`../definitions/${name}.yaml`, import.meta.url), 'utf8');
}

interface CatalogFile {
  readonly schemas: object;
  readonly activities: readonly object[];
  readonly reconcilers?: readonly object[];
}

/** The catalog of the examples and the one of this campaign, as one. */
export function mergedCatalogText(): string {
  const [examples, own] = [exampleCatalogText(), readFileSync(faultyCatalogPath, 'utf8')].map(
    (text) => JSON.parse(text) as CatalogFile,
  ) as [CatalogFile, CatalogFile];
  return JSON.stringify({
    format: 'graphrun.catalog/v1',
    schemas: { ...examples.schemas, ...own.schemas },
    activities: [...examples.activities, ...own.activities],
    reconcilers: [...(examples.reconcilers ?? []), ...(own.reconcilers ?? [])],
  });
}
