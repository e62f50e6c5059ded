/**
 * Ways in which the domain could be wrong, each as a small change of one of its files. The oracle must notice all of them: one
 * that it does not see could be in the engine today.
 *
 * One more is noticed, but too rarely for every day: an engine that undoes beside forward work elsewhere in the outer saga
 * (`tree.hasForwardWork` left out of `stopping-tree.ts`) took 5,442 trials.
 */
export interface Mutant {
  /** What is wrong with it. */
  readonly what: string;
  /** Below `libs/domain/src`. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
  /** A second change, where the domain is safe against one. */
  readonly also?: Omit<Mutant, 'what' | 'also'>;
}

export const MUTANTS: readonly Mutant[] = [
  {
    what: 'undoes in the order of the effects',
    file: 'stopping-tree.ts',
    find: 'for (let index = work.obligations.length - 1; index >= 0; index--) {',
    replace: 'for (let index = 0; index < work.obligations.length; index++) {',
  },
  {
    what: 'undoes the saga first that was opened first',
    file: 'stopping-tree.ts',
    find: 'number <= this.#lastNumber)',
    replace: 'this.#lastNumber > 0)',
  },
  {
    what: 'undoes two effects at a time',
    file: 'stopping-tree.ts',
    find: 'tree.hasForwardWork || tree.compensating ||',
    replace: 'tree.hasForwardWork ||',
  },
  {
    what: 'loses what an inner saga hands to the one around it',
    file: 'appliers/saga.ts',
    find: '  owed(run, findContainer(run, body.to)).push(...from);\n',
    replace: '  owed(run, findContainer(run, body.to));\n',
  },
  {
    what: 'puts what an inner saga hands over before what is owed already',
    file: 'appliers/saga.ts',
    find: 'owed(run, findContainer(run, body.to)).push(...from)',
    replace: 'owed(run, findContainer(run, body.to)).unshift(...from)',
  },
  {
    what: 'does not release what the outermost saga owes',
    file: 'behaviours/containers.ts',
    find: "? { kind: 'obligations_released', saga: container.id }",
    replace: "? { kind: 'obligations_transferred', from: container.id, to: container.id }",
  },
  {
    what: 'builds the input of a compensation from the wrong value',
    file: 'behaviours/obligation.ts',
    find: 'forwardFrame(leaf.input.value, leaf.status.output.value)',
    replace: 'forwardFrame(leaf.input.value, leaf.input.value)',
  },
  {
    what: 'owes nothing for effects that settle after the failure',
    file: 'behaviours/obligation.ts',
    find: 'scope === null || sagaAround',
    replace: "scope?.status.kind !== 'open' || sagaAround",
  },
  {
    what: 'does not repeat a failure that is listed as retryable',
    file: 'behaviours/outcome.ts',
    find: 'return contract.errorCodes.some((declared) => declared.code === failure.code && declared.retryable);',
    replace: 'return contract.errorCodes.some((declared) => declared.code === failure.code && !declared.retryable);',
  },
  {
    what: 'makes one attempt too many',
    file: 'behaviours/attempt.ts',
    find: 'return usedAttempts(leaf) < termsOf',
    replace: 'return usedAttempts(leaf) <= termsOf',
  },
  {
    what: 'counts attempts that were handed back',
    file: 'behaviours/attempt.ts',
    find: 'return leaf.attempts - leaf.returned - leaf.forgiven;',
    replace: 'return leaf.attempts - leaf.forgiven;',
  },
  {
    what: 'repeats forward work in a scope that is closed',
    file: 'behaviours/attempt.ts',
    find: "if (roleOf(leaf.id) === 'forward' && !isOpen(run, scopeOf(run, leaf))) return false;",
    replace: '',
  },
  {
    what: 'repeats Manual work that was lost',
    file: 'behaviours/attempt.ts',
    find: "return contract.effects === 'pure' || contract.recovery === 'RetrySafe';",
    replace: "return contract.effects === 'pure' || contract.recovery !== 'RetrySafe';",
  },
  {
    what: 'calls external work cancelled that may have had its effect',
    file: 'transitions.ts',
    find: "return contractOf(run, leaf).effects === 'external' && leaf.losses.length > 0",
    replace: "return contractOf(run, leaf).effects === 'external' && leaf.losses.length > 9",
  },
  {
    what: 'starts the next step after a result that only settles',
    file: 'transitions.ts',
    find: "if (scope.next !== null && scope.status.kind === 'open')",
    replace: 'if (scope.next !== null)',
  },
  {
    what: 'takes the first state of a loop for every iteration',
    file: 'appliers/scope.ts',
    find: 'work.carry = output;',
    replace: 'work.done === 0 ? (work.carry = output) : null;',
  },
  {
    what: 'lets a loop look at the state before the last iteration',
    file: 'behaviours/containers.ts',
    find: 'loop: { state: work.carry, index: work.done }',
    replace: 'loop: { state: work.carry, index: Math.max(0, work.done - 1) }',
  },
  {
    what: 'puts the outputs of a foreach in the order in which its bodies end',
    file: 'appliers/container.ts',
    find: 'const part = results.get(index);',
    replace: 'const part = [...results.values()][index];',
  },
  {
    what: 'opens one body of a foreach more than it may',
    file: 'transitions.ts',
    find: 'const room = bodies.size < windowOf(run, container);',
    replace: 'const room = bodies.size <= windowOf(run, container);',
  },
  {
    what: 'checks a do_while before its first iteration',
    file: 'behaviours/containers.ts',
    find: "if (node.kind === 'do_while' && work.done === 0) return { ok: true, value: true };",
    replace: '',
  },
  {
    what: 'lets a later failure take the place of the first',
    file: 'appliers/close.ts',
    find: "if (container.status.kind === 'open') container.status",
    replace: "if (container.status.kind === 'open' || failure !== null) container.status",
    also: {
      file: 'behaviours/failing.ts',
      find: "if (scope.status.kind !== 'open') return;\n  const to",
      replace:
        "if (scope.status.kind === 'settling') recorder.record({ kind: 'scope_failing', scope: scope.id, failure });\n  if (scope.status.kind !== 'open') return;\n  const to",
    },
  },
  {
    what: 'takes an error route before what failed is settled',
    file: 'transitions.ts',
    find: "    if (status === 'open' || status === 'settling') return null;\n",
    replace: '',
  },
  {
    what: 'takes the last error route that matches',
    file: 'behaviours/failing.ts',
    find: 'node.onError?.find(',
    replace: 'node.onError?.findLast(',
  },
  {
    what: 'takes the latest signal of an address first',
    file: 'behaviours/inbox.ts',
    find: 'for (const entry of run.inbox.values()) {\n    if (entry.signal',
    replace: 'for (const entry of [...run.inbox.values()].reverse()) {\n    if (entry.signal',
  },
  {
    what: 'gives a wait the signal of another name',
    file: 'behaviours/inbox.ts',
    find: 'if (entry.signal !== signal || entry.key !== key',
    replace: 'if (entry.key !== key',
  },
  {
    what: 'gives a wait signals that were there before it',
    file: 'appliers/wait.ts',
    find: 'after: buffered ? 0 : event.seq',
    replace: 'after: 0',
  },
  {
    what: 'lets a signal that came too late end a wait',
    file: 'behaviours/inbox.ts',
    find: 'if (wait.dueAt === null || entry.arrivedAt < wait.dueAt) return entry;',
    replace: 'return entry;',
  },
  {
    what: 'judges a signal by when it is applied, not by when it came',
    file: 'behaviours/inbox.ts',
    find: 'entry.arrivedAt < wait.dueAt)',
    replace: 'now < wait.dueAt)',
  },
  {
    what: 'does not wake a wait by its signal',
    file: 'processors/signal.ts',
    find: 'if (wait !== null && entry !== null) recorder',
    replace: 'if (wait !== null && entry !== null && wait.dueAt === 0) recorder',
  },
  {
    what: 'forgets irreversible effects in the outcome',
    file: 'behaviours/compensation-summary.ts',
    find: "else if (obligation.status.kind === 'irreversible') irreversible.push(effect);",
    replace: "else if (obligation.status.kind === 'irreversible') compensated = true;",
  },
  {
    what: 'ends as cancelled what failed before it was cancelled',
    file: 'behaviours/stopping.ts',
    find: "if (stopOf(run) === null) recorder.record({ kind: 'run_stop_intended', intent, failure });",
    replace:
      "if (stopOf(run) === null || intent === 'cancel') recorder.record({ kind: 'run_stop_intended', intent, failure });",
  },
  {
    what: 'fails a run that was cancelled',
    file: 'behaviours/stopping.ts',
    find: "const failed = intent === 'failure' || abandoned;",
    replace: 'const failed = true;',
  },
];
