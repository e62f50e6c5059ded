import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '@graphrun/dsl';
import { agenda, type EventKind } from '../index.js';
import { chain } from '../testing/chain.js';
import type { Scenario } from '../testing/scenario.js';
import { error, OTHER_WORKER, started, success } from '../testing/scenario.js';
import { activity, body, complete, from, workflow } from '../testing/workflow.js';

/** As many items at once as two branches can hold: 64 leaves, more than one commit may withdraw. */
function crowded(): Scenario {
  const retry = { retry: { errors: ['busy'] } };
  const each = {
    kind: 'foreach',
    items: from('workflow.input', '/items'),
    item_schema: 'value/v1',
    max_items: 40,
    max_concurrency: LIMITS.foreachConcurrency,
    body: body({ do: activity('safe', 'end', retry), end: complete() }),
    next: 'end',
  };
  const branch = (name: string) => ({
    name,
    input: from('workflow.input'),
    body: body({ each, end: complete() }),
  });
  const program = workflow({
    both: { kind: 'parallel', branches: [branch('left'), branch('right')], next: 'end' },
    end: complete(),
  });
  return started(program, { items: Array.from({ length: 40 }, (_, index) => index) });
}

function goOn(scenario: Scenario): EventKind[][] {
  const commits: EventKind[][] = [];
  while (agenda(scenario.run).progressDue) {
    expect(scenario.progress()).toEqual({ kind: 'accepted' });
    commits.push(scenario.kinds);
  }
  return commits;
}

describe('progress', () => {
  it('continues what one commit may not hold, and no further than one commit each', () => {
    const scenario = crowded();
    expect(scenario.history).toHaveLength(2 + LIMITS.progressTransitions);
    expect(agenda(scenario.run).progressDue).toBe(true);
    // Two branches with their foreach (4), 64 items with their activity (128), and the node itself: 133 transitions.
    expect(goOn(scenario).map((commit) => commit.length)).toEqual([32, 32, 32, 5]);
    expect(scenario.history.at(-1)?.cause).toEqual({ internal: 'progress' });
    expect(agenda(scenario.run).ready).toHaveLength(64);

    scenario.cancel();
    expect(scenario.kinds).toEqual(['run_stop_intended', ...Array<EventKind>(32).fill('activity_cancelled')]);
    expect(agenda(scenario.run)).toMatchObject({ progressDue: true, ready: [], terminal: false });
    const commits = goOn(scenario);
    expect(commits[0]).toEqual(Array<EventKind>(32).fill('activity_cancelled'));
    expect(commits.slice(1).flat()).toEqual([
      // The bodies of both foreaches, each foreach with the branch around it, the join, and the run.
      ...Array<EventKind>(64).fill('scope_cancelled'),
      'container_cancelled',
      'scope_cancelled',
      'container_cancelled',
      'scope_cancelled',
      'container_cancelled',
      'scope_cancelled',
      'run_cancelled',
    ]);
    expect(agenda(scenario.run).terminal).toBe(true);
  });

  it('is what every other command leaves to it: a run that stops starts nothing in the meantime', () => {
    const scenario = crowded();
    goOn(scenario);
    const ids = agenda(scenario.run).ready.map(({ leaf }) => leaf.id);
    const [running = '', ...rest] = ids;
    const [waiting = '', offered = ''] = rest.slice(-2);
    scenario.claim(running);
    scenario.entropy = 7;
    scenario.claim(waiting);
    scenario.report(error('busy'), waiting);
    const { status } = scenario.leaf(waiting);
    const dueAt = status.kind === 'retry_wait' ? status.dueAt : -1;
    scenario.now = dueAt;
    scenario.cancel();
    expect(agenda(scenario.run)).toMatchObject({ progressDue: true, timers: [] });
    scenario.restart('checkpoint');
    expect(agenda(scenario.run)).toMatchObject({ progressDue: true, timers: [] });

    const reason = 'its scope is stopping and starts nothing more';
    expect(scenario.claim(offered)).toEqual({ kind: 'stale', reason });
    expect(scenario.timer(waiting, dueAt)).toEqual({ kind: 'stale', reason });
    expect(scenario.claim(running)).toMatchObject({ kind: 'accepted', repeated: true });
    expect(scenario.claim(running, { session: OTHER_WORKER }).kind).toBe('stale');
    expect(scenario.kinds).toEqual([]);
    goOn(scenario);
    scenario.report(success(1), running);
    goOn(scenario);
    expect(scenario.run.status.kind).toBe('cancelled');
  });

  it('is stale when nothing is left to continue', () => {
    expect(started(chain({ steps: [{}] })).progress()).toEqual({
      kind: 'stale',
      reason: 'nothing is left to continue',
    });
  });
});
