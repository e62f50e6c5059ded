import { describe, expect, it } from '@jest/globals';
import { chain } from '../testing/chain.js';
import { claimed, started } from '../testing/scenario.js';

describe('binding a value', () => {
  it('that is missing at run time fails the run, never the command', () => {
    const scenario = started(
      chain({ steps: [{ input: { object: { n: { from: 'workflow.input', path: '/gone' } } } }] }),
    );
    expect(scenario.kinds).toEqual(['run_admitted', 'scope_opened', 'run_stop_intended', 'scope_failed', 'run_failed']);
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'binding.missing' } });
    expect(scenario.run.status.kind === 'failed' && scenario.run.status.failure.message).toContain('nodes.step1.input');
  });

  it('as an input that breaks the contract fails the run with schema.invalid', () => {
    const scenario = started(chain({ steps: [{ input: { object: { n: { from: 'workflow.input', path: '/m' } } } }] }), {
      n: 1,
      m: 'not a number',
    });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'schema.invalid' } });
    expect(scenario.run.status.kind === 'failed' && scenario.run.status.failure.message).toContain(
      'nodes.step1.input at /n breaks its schema',
    );
  });

  it('as an output that breaks the schema of the workflow fails the run with schema.invalid', () => {
    const scenario = started(chain({ steps: [], output: { object: { n: { from: 'workflow.input', path: '/m' } } } }), {
      n: 1,
      m: [],
    });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'schema.invalid' } });
  });

  it('that is put together beyond 256 KiB fails the run with limit.value', () => {
    const half = { from: 'workflow.input', path: '/text' };
    const scenario = started(chain({ steps: [{ input: { object: { n: { literal: 1 }, a: half, b: half } } }] }), {
      n: 1,
      text: 'x'.repeat(150_000),
    });
    expect(scenario.run.status).toMatchObject({ kind: 'failed', failure: { code: 'limit.value' } });
  });

  it('reads the input of workflow and scope, outputs of this scope, and the id of the scope', () => {
    const scenario = claimed(
      chain({
        steps: [
          {},
          {
            input: {
              object: {
                n: { from: 'nodes.step1.output', path: '/n' },
                workflow: { from: 'workflow.input', path: '/n' },
                scope: { from: 'scope.input', path: '/n' },
                id: { from: 'scope.id' },
                fallback: { from: 'workflow.input', path: '/gone', default: 'none' },
              },
            },
          },
        ],
      }),
    );
    scenario.report({ kind: 'success', output: { n: 7 } });
    expect(scenario.recorded[1]).toMatchObject({
      kind: 'activity_activated',
      input: { n: 7, workflow: 1, scope: 1, id: `${scenario.run.id}.s1`, fallback: 'none' },
    });
  });
});
