/**
 * `start` admits a run: what it was given is checked and pinned, its root scope opens, and it goes as far as it can. A
 * definition with parts that this engine cannot run is refused here, whatever the input: no run may come to such a part.
 */
import { POLICIES } from '@graphrun/dsl';
import type { Decision, StartCommand } from '../commands.js';
import { executionObstacle } from '../executable.js';
import { at } from '../failures.js';
import type { ScopeId } from '../ids.js';
import type { Recorder } from '../recorder.js';
import { ACCEPTED, rejected } from './answers.js';

export function start(recorder: Recorder, command: StartCommand): Decision {
  const { program, input } = command;
  const { definition } = program;
  const obstacle = executionObstacle(program);
  if (obstacle !== null) return rejected('FailedPrecondition', obstacle);
  const issue = program.validate(definition.root.inputSchema, input);
  if (issue !== null) {
    return rejected(
      'InvalidArgument',
      `the input${at(issue)} does not fit ${definition.id} version ${definition.version}: ${issue.message}`,
    );
  }
  recorder.record({
    kind: 'run_admitted',
    run: command.run,
    workflowId: command.workflowId,
    ordinal: command.ordinal,
    namespace: command.namespace,
    workflow: definition.id,
    version: definition.version,
    digest: program.digest,
    startKey: command.startKey,
    input,
    policy: { terminalHistoryMs: POLICIES.terminalHistoryMs, tombstoneMs: POLICIES.tombstoneMs },
    deadline: definition.runTimeoutMs === null ? null : recorder.now + definition.runTimeoutMs,
  });
  recorder.record({ kind: 'scope_opened', scope: 's1' as ScopeId, role: 'root', input });
  return ACCEPTED;
}
