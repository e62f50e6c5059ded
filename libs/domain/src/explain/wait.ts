/** What a wait waits for. */
import { pathOf } from '../path.js';
import type { Run, Wait } from '../state.js';
import { time, type ExplainFacts, type Reason } from './reason.js';

export function explainWait(run: Run, wait: Wait, facts: ExplainFacts): Reason {
  const { dueAt } = wait;
  const path = pathOf(run, run.scopes.get(wait.scope) ?? null, wait.node);
  const common = { path, since: wait.openedAt, ...(dueAt === null ? {} : { dueAt }) };
  const over = dueAt !== null && facts.now > dueAt ? ' (that is over: it is about to be recorded)' : '';
  if (wait.for.kind === 'timer') {
    return {
      code: 'timer',
      ...common,
      message: `${path} waits until ${dueAt === null ? 'nothing' : time(dueAt)}${over}`,
      action: 'wait',
    };
  }
  const { signal, key } = wait.for;
  const until = dueAt === null ? 'without a timeout' : `until ${time(dueAt)}${over}`;
  return {
    code: 'signal',
    ...common,
    message: `${path} waits for signal "${signal}" with key "${key}" ${until}`,
    action: `send it: graphrun signal --run ${run.id} --name ${signal} --key ${key}`,
  };
}
