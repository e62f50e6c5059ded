/**
 * `docs/language.md` is the whole language: its examples are compiled by `docs.spec.ts`; here it is held against the
 * compiler's own tables, so that nothing can be added to the language and be forgotten on the page, nor the reverse.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CONDITION_FIELDS } from './bindings/condition.js';
import { BINDING_FIELDS } from './bindings/parse.js';
import { NAMED_REFERENCES } from './bindings/reference.js';
import { isArray, isObject } from './canonical.js';
import { CONTRACT_FIELDS } from './catalog/fields.js';
import { DOCUMENT_FIELDS } from './document.js';
import { EXTENSIONS } from './extensions.js';
import { ANNOTATIONS, type FieldTable } from './fields.js';
import { LIMITS, POLICIES } from './limits.js';
import { COMPENSATION_FIELDS } from './nodes/compensation.js';
import { NODE_KINDS } from './nodes/index.js';
import { BACKOFF_FIELDS, RETRY_FIELDS } from './nodes/retry.js';
import { sectionsOf, type Section } from './testing/markdown.js';
import { catalogOf, compile } from './testing/order-catalog.js';
import type { Json } from './value.js';

const SECTIONS = sectionsOf(readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8'));

function section(title: string): Section {
  const [found, ...others] = SECTIONS.filter((candidate) => candidate.title === title);
  if (found === undefined || others.length > 0) throw new Error(`There must be exactly one section "${title}"`);
  return found;
}

const examplesIn = ({ blocks }: Section): readonly string[] =>
  blocks.filter(({ info }) => info === 'yaml workflow').map(({ text }) => text);

const EXAMPLES: readonly string[] = SECTIONS.flatMap(examplesIn);
const CATALOG = catalogOf(section('Catalog').blocks[0]?.text ?? '');

/** Words in code marks of a cell. */
const words = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

// ------------------------------------------------------------------------------------------------- what examples use

/** Every map below a value, itself included. */
function* mapsIn(value: Json): Generator<{ readonly [key: string]: Json }> {
  if (isArray(value)) for (const item of value) yield* mapsIn(item);
  if (!isObject(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* mapsIn(member);
}

const MAPS = EXAMPLES.flatMap((text) => [...mapsIn(parse(text) as Json)]);
const usedBy = (has: (map: { readonly [key: string]: Json }) => boolean): readonly string[] => [
  ...new Set(MAPS.filter(has).flatMap((map) => Object.keys(map))),
];
const fieldsOf = (...tables: readonly FieldTable[]): readonly string[] => tables.flatMap((table) => Object.keys(table));

describe('the table of contents', () => {
  const { rows } = section('Contents');
  const constructs = rows.flatMap(([construct]) => words(construct));

  it('leads to sections, and nearly all of them have an example', () => {
    const anchors = rows.map(([, example]) => /\(#([^)]+)\)/.exec(example ?? '')?.[1]);
    const titles = anchors.map((anchor) => SECTIONS.find((candidate) => candidate.anchor === anchor)?.title);
    expect(titles).not.toContain(undefined);
    const without = new Set(titles.filter((title) => examplesIn(section(title ?? '')).length === 0));
    expect([...without]).toEqual([
      'Catalog',
      'References',
      'Types',
      'Values',
      'Limits',
      'Normal form and digest',
      'Publication',
    ]);
  });

  it.each([
    ['node kind', [...NODE_KINDS.keys()]],
    ['operator of conditions', fieldsOf(CONDITION_FIELDS)],
    ['form of bindings', fieldsOf(...Object.values(BINDING_FIELDS))],
    ['part of a document', ['signals', 'run_timeout', 'search_attributes', 'regions', ...Object.keys(ANNOTATIONS)]],
    ['part of a retry policy', fieldsOf(RETRY_FIELDS)],
  ])('has every %s', (_what, names) => {
    expect(
      names.filter((name) => !constructs.includes(name) && !rows.some((row) => words(row[2]).includes(name))),
    ).toEqual([]);
  });

  it('marks what is beyond the original language', () => {
    const beyond = rows
      .filter(([construct]) => construct?.includes('(beyond)'))
      .flatMap(([construct]) => words(construct));
    expect([...beyond, 'inferred_schemas'].filter((name) => name !== 'use').toSorted()).toEqual(
      [...EXTENSIONS].toSorted(),
    );
  });
});

describe('the examples', () => {
  it('use every field of every node kind', () => {
    for (const [kind, { fields }] of NODE_KINDS) {
      // The annotations are shown once for all kinds.
      const expected = Object.keys(fields).filter((field) => !Object.hasOwn(ANNOTATIONS, field));
      const used = usedBy((map) => map['kind'] === kind && map['reason'] === undefined);
      const unused = expected.filter(
        (field) => !used.includes(field) && !(field === 'on_error' && kind !== 'activity'),
      );
      expect({ kind, unused }).toEqual({ kind, unused: [] });
    }
  });

  it('use every part of a document, a retry policy and a compensation', () => {
    const used = usedBy(() => true);
    const tables = [DOCUMENT_FIELDS, RETRY_FIELDS, BACKOFF_FIELDS, ...Object.values(COMPENSATION_FIELDS)];
    expect(fieldsOf(...tables).filter((field) => !used.includes(field))).toEqual([]);
  });

  it('use every form of binding, every operator and every reference', () => {
    const used = usedBy(() => true);
    const forms = fieldsOf(...Object.values(BINDING_FIELDS), CONDITION_FIELDS);
    expect(forms.filter((form) => !used.includes(form))).toEqual([]);
    const references = new Set(MAPS.map((map) => map['from']).filter((from) => typeof from === 'string'));
    expect(NAMED_REFERENCES.filter((reference) => !references.has(reference))).toEqual([]);
    expect([...references].some((reference) => /^nodes\.\w+\.output$/.test(reference))).toBe(true);
    expect([...references].some((reference) => /^nodes\.\w+\.error$/.test(reference))).toBe(true);
  });

  it('use each extension where its section says so', () => {
    const used = SECTIONS.flatMap((part) =>
      examplesIn(part).map((text) => {
        const result = compile(text, CATALOG);
        return [part.title, result.ok ? result.extensions.join(' ') : 'refused'];
      }),
    ).filter(([, extensions]) => extensions !== '');
    expect(used).toEqual([
      ['Document', 'description labels'],
      ['Timers', 'default'],
      ['wait_signal', 'default'],
      ['on_error', 'on_error'],
      ['Bindings', 'default'],
      ['Conditions', 'default'],
      ['Search attributes', 'default'],
      ['Regions by name', 'regions'],
      ['Schemas that are left out', 'inferred_schemas'],
      ['Annotations', 'description labels'],
    ]);
  });
});

describe('the tables', () => {
  it('have every field of every node kind, and mark those that may be left out', () => {
    const rows = section('Nodes').rows.map(([kind, fields]) => [words(kind)[0], [...words(fields)].toSorted()]);
    const expected = [...NODE_KINDS].map(([kind, { fields }]) => {
      const own = Object.entries(fields).filter(([field]) => field !== 'kind' && !Object.hasOwn(ANNOTATIONS, field));
      return [kind, own.map(([field, { use }]) => (use === 'required' ? field : `${field}?`)).toSorted()];
    });
    expect(rows).toEqual(expected);
  });

  it.each<[string, FieldTable]>([
    ['Document', DOCUMENT_FIELDS],
    ['Catalog', CONTRACT_FIELDS],
  ])('have every field under "%s"', (title, table) => {
    const listed = section(title).rows.flatMap(([fields]) => words(fields));
    expect(Object.keys(table).filter((field) => !listed.includes(field))).toEqual([]);
  });

  it('have every reference and every operator', () => {
    const references = section('References').rows.flatMap(([reference]) => words(reference));
    expect(references).toEqual([
      'workflow.input',
      'scope.input',
      'scope.id',
      'nodes.<key>.output',
      'nodes.<key>.error',
      'loop.state',
      'loop.index',
      'item.value',
      'item.index',
      'forward.input',
      'forward.output',
    ]);
    expect(references.filter((name) => !name.startsWith('nodes.'))).toEqual(NAMED_REFERENCES);
    const operators = section('Conditions').rows.flatMap(([operator]) => words(operator));
    expect(operators).toEqual(Object.keys(CONDITION_FIELDS));
  });

  it('have the defaults and ranges of retries as the compiler has them', () => {
    const p = POLICIES;
    expect(section('Retry').rows.map(([field, ...cells]) => [words(field)[0], ...cells])).toEqual([
      [
        'timeout',
        `\`${p.forwardTimeoutMs / 60_000}m\``,
        `\`${p.compensationTimeoutMs / 60_000}m\``,
        `\`${p.attemptTimeoutMinMs / 1_000}s\` to \`${p.attemptTimeoutMaxMs / 3_600_000}h\``,
      ],
      ['retry.errors', 'none', 'all that the contract says are retryable', 'codes of the contract'],
      ['retry.max_attempts', String(p.forwardBudget), String(p.compensationBudget), `${p.budgetMin} to ${p.budgetMax}`],
      ['retry.backoff.initial', '`1s`', '`1s`', `up to \`${p.backoffMaxMs / 3_600_000}h\`, not above \`max\``],
      [
        'retry.backoff.multiplier',
        String(p.backoffMultiplier),
        String(p.backoffMultiplier),
        `${p.backoffMultiplierMin} to ${p.backoffMultiplierMax}`,
      ],
      [
        'retry.backoff.max',
        `\`${p.forwardBackoffCapMs / 1_000}s\``,
        `\`${p.compensationBackoffCapMs / 60_000}m\``,
        `up to \`${p.backoffMaxMs / 3_600_000}h\``,
      ],
    ]);
    expect(p.backoffInitialMs).toBe(1_000);
  });
});

describe('the limits', () => {
  const n = (value: number): string => value.toLocaleString('en-GB');
  const kib = (value: number): string => `${value / 1024} KiB`;
  const mib = (value: number): string => `${value / 1024 / 1024} MiB`;
  const days = (value: number): string => `${value / 86_400_000} d`;
  const hours = (value: number): string => `${value / 3_600_000} h`;
  const minutes = (value: number): string => `${value / 60_000} min`;
  const seconds = (value: number): string => `${value / 1_000} s`;
  const rows = section('Limits').rows;

  it('are those of the engine, all of them', () => {
    const l = LIMITS;
    const p = POLICIES;
    expect(new Set([l.yamlBytes, l.payloadBytes, l.schemaBytes, l.definitionBytes]).size).toBe(1);
    expect(l.loopIterations).toBe(l.foreachItems);
    expect(l.parallelBranches).toBe(l.tupleItems);
    expect(l.activationsPerRun).toBe(l.scopesPerRun);
    const values = [
      `${kib(l.yamlBytes)} each`,
      kib(l.expandedBytes),
      n(l.nodesPerDefinition),
      n(l.regionNesting),
      n(l.depth),
      n(l.conditionOperators),
      n(l.loopIterations),
      n(l.parallelBranches),
      `${l.foreachConcurrency}, by default ${p.foreachConcurrency}`,
      `${l.activeLeavesPerRun}; ${l.activeLeavesPerWorker}`,
      n(l.activationsPerRun),
      `${mib(l.historyBytes)}; ${mib(l.historyReserveBytes)}`,
      `${n(l.bufferedSignalsPerRun)}; ${l.bufferedSignalsPerAddress}; ${mib(l.bufferedSignalBytesPerRun)}`,
      `${l.startKeyBytes} bytes`,
      kib(l.envelopeBytes),
      `${l.signalKeyBytes} bytes`,
      kib(l.errorMessageBytes),
      `${l.searchAttributes}; ${l.searchAttributeBytes} bytes`,
      `${n(l.rememberedSignalsPerWorkflow)} for ${days(p.rememberedSignalMs)}`,
      n(l.claimBatch),
      `${l.nameChars} ASCII characters`,
      `${n(l.activeRunsPerCluster)} by default`,
      `${n(l.unappliedCommandsPerPartition)} or ${mib(l.unappliedBytesPerPartition)}`,
      n(l.progressTransitions),
      n(l.blockingThreadsPerWorker),
    ];
    expect(rows.slice(0, values.length).map(([, value]) => value)).toEqual(values);
    // Some share a row, so the number of all of them tells when one is added.
    expect(Object.keys(l)).toHaveLength(37);
  });

  it('of time are those of the engine', () => {
    const p = POLICIES;
    expect(rows.slice(25).map(([, ...cells]) => cells)).toEqual([
      [minutes(p.forwardTimeoutMs), `${seconds(p.attemptTimeoutMinMs)} to ${hours(p.attemptTimeoutMaxMs)}`],
      [
        seconds(p.reconciliationTimeoutMs),
        `${seconds(p.reconciliationTimeoutMinMs)} to ${minutes(p.reconciliationTimeoutMaxMs)}`,
      ],
      [`${p.reconciliationProbes} probes, ${seconds(p.reconciliationIntervalMs)} apart`, ''],
      ['none', `up to ${days(p.runTimeoutMaxMs)}`],
      ['must be given', `up to ${days(p.waitMaxMs)}`],
      [`${p.forwardBudget}; ${p.compensationBudget}`, `${p.budgetMin} to ${p.budgetMax}`],
      [String(p.budgetExtension), ''],
      [
        `${seconds(p.backoffInitialMs)}; ${p.backoffMultiplier}`,
        `up to ${hours(p.backoffMaxMs)}; ${p.backoffMultiplierMin} to ${p.backoffMultiplierMax}`,
      ],
      [`${seconds(p.forwardBackoffCapMs)}; ${minutes(p.compensationBackoffCapMs)}`, `up to ${hours(p.backoffMaxMs)}`],
      [seconds(p.cancellationGraceMs), ''],
      [days(p.terminalHistoryMs), ''],
      [days(p.tombstoneMs), ''],
      [days(p.unreservedSignalMs), ''],
      [`${hours(p.commandLifetimeMs)} from its issue`, ''],
      [hours(p.resultRetentionMs), ''],
    ]);
    expect(p.forwardTimeoutMs).toBe(p.compensationTimeoutMs);
  });
});

describe('the normal form on the page', () => {
  it('is that of the example it names, with its digest', () => {
    const [text] = section('Normal form and digest').blocks;
    const result = compile(examplesIn(section('activity'))[0] ?? '', CATALOG);
    if (!result.ok) throw new Error('The example is refused');
    const { definition, digest } = result.artifact;
    expect(text?.text).toBe(`${JSON.stringify(definition, null, 2)}\n\n${digest}\n`);
  });
});

describe('the page', () => {
  it('promises nothing for later', () => {
    const text = readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8');
    expect(text).not.toMatch(/not (yet )?supported/i);
  });
});
