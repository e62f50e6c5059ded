/** The table of reasons in docs/execution.md says what explain says, word for word, for every code there is. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { chain } from './testing/chain.js';
import { drive, output } from './testing/driver.js';
import { claimed, error, started, type Scenario } from './testing/scenario.js';
import { activity, body, complete, effect, from, literal, undo, workflow, type Part } from './testing/workflow.js';
import { explain, REASON_CODES, type ExplainFacts, type Reason, type ReasonCode } from './index.js';

const PAGE = new URL('../../../docs/execution.md', import.meta.url);

const end = complete(from('workflow.input'));
const manual = chain({ steps: [{ effects: 'external', recovery: 'Manual' }] });

const facts: ExplainFacts = { now: 0, workersFor: () => ({ able: 3, otherContract: 0 }) };

function each(items: number, inner: Part): Part {
  return {
    kind: 'foreach',
    items: literal(Array.from({ length: items }, (_, index) => index)),
    item_schema: 'value/v1',
    max_items: items,
    max_concurrency: items,
    body: body({ inner, end: complete() }),
    next: 'end',
  };
}

function saga(pay: Part): Part {
  return {
    kind: 'saga',
    input: from('workflow.input'),
    body: body({ pay, fails: effect('end'), end: complete() }),
    next: 'end',
  };
}

function after(scenario: Scenario, act: (scenario: Scenario) => void): Scenario {
  act(scenario);
  return scenario;
}

function signalled(): Scenario {
  const wait = { kind: 'wait_signal', signal: 'paid', key: from('workflow.input', '/id'), timeout: null, next: 'end' };
  return started(workflow({ wait, end }, { signals: { paid: { schema: 'value/v1' } } }), { id: 'o-1' });
}

/** A run for each code, and what is known beside it. */
const EXAMPLES: { readonly [C in ReasonCode]: () => readonly [Scenario, Partial<ExplainFacts>?] } = {
  recovery_hold: () => [started(manual), { hold: { since: 0 } }],
  paused: () => [after(started(manual), (scenario) => scenario.pause())],
  queued: () => [started(manual)],
  no_worker: () => [started(manual), { workersFor: () => ({ able: 0, otherContract: 0 }) }],
  unknown_contract: () => [started(manual), { workersFor: () => ({ able: 0, otherContract: 2 }) }],
  running: () => [claimed(manual)],
  retry_wait: () => [
    after(claimed(chain({ steps: [{ retryErrors: ['busy'] }] })), (scenario) => {
      scenario.entropy = 7;
      scenario.report(error('busy', 'come back later'));
    }),
  ],
  settling: () => [after(claimed(manual), (scenario) => scenario.cancel())],
  reconciling: () => [
    drive(workflow({ pay: activity('asked', 'end', { timeout: '60s' }), end }), { asked: () => 'lost' }).scenario,
  ],
  intervention_required: () => [after(claimed(manual), (scenario) => scenario.expire('worker_lost'))],
  compensation_blocked: () => [
    drive(workflow({ saga: saga(effect('fails')), end }), {
      fails: () => error('broken'),
      undo: () => error('broken', 'no such payment'),
    }).scenario,
  ],
  timer: () => [started(workflow({ pause: { kind: 'delay', duration: '10s', next: 'end' }, end }))],
  signal: () => [signalled()],
  children: () => [started(workflow({ each: each(3, activity('pure', 'end')), end }))],
  progress_due: () => [started(workflow({ each: each(20, activity('pure', 'end')), end }))],
  limit_near: () => [after(started(manual), ({ run }) => void (run.scopeCount = 8_000))],
  ended: () => [after(claimed(manual), (scenario) => scenario.report(error('broken', 'it broke')))],
};

/** An input of a compensation that could not be built reads differently under the same code. */
const SECOND: Partial<Record<ReasonCode, () => Scenario>> = {
  compensation_blocked: () =>
    drive(workflow({ saga: saga(activity('safe', 'fails', { compensation: undo('undo_counted') })), end }), {
      pay: () => output('no n'),
    }).scenario,
};

function row(scenario: Scenario, code: ReasonCode, more: Partial<ExplainFacts> = {}): readonly string[] {
  const reason = explain(scenario.run, { ...facts, ...more }).find((one: Reason) => one.code === code);
  const said = (text = ''): string =>
    text.replaceAll(scenario.run.id, 'RUN').replace(/unknown contract [0-9a-f]{12}/, 'unknown contract DIGEST');
  return [`\`${code}\``, said(reason?.message), said(reason?.action)];
}

describe('the table of reasons in docs/execution.md', () => {
  it('has every code, with a sentence of explain and what to do about it', async () => {
    const page = await readFile(PAGE, 'utf8');
    const section = page.split('\n## Why a run does not go on\n')[1]?.split('\n## ')[0] ?? '';
    const documented = [...section.matchAll(/^\| (`\w+`) +\| (.*?) +\| (.*?) +\|$/gm)].map((match) => match.slice(1));
    const expected = REASON_CODES.flatMap((code) => {
      const [scenario, more] = EXAMPLES[code]();
      const second = SECOND[code];
      return [row(scenario, code, more), ...(second === undefined ? [] : [row(second(), code)])];
    });
    expect(documented).toEqual(expected);
  });
});
