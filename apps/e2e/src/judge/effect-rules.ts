/** What physically happened, against what the histories say: effects of steps and of what undoes them, by effect key. */
import { effectKey, roleOf } from '@graphrun/domain';
import type { ActivationId, RunId } from '@graphrun/domain';
import { activationOf, ofKind, resultOf } from './history-rules.js';
import type { RecordedRun } from './recorded-run.js';

/** One sentence for each effect that did not happen, happened without a grant, or belongs to no attempt. */
export function brokenEffects(runs: readonly RecordedRun[], called: ReadonlyMap<string, number>): readonly string[] {
  const known = new Set<string>();
  const sentences = runs.flatMap((run) => {
    const accepted = new Set(acceptedReports(run));
    return [...grantsOf(run)].flatMap(([activation, granted]) => {
      const key = effectKey(run.run as RunId, activation);
      known.add(key);
      const physical = called.get(key) ?? 0;
      const missing = accepted.has(activation) && physical === 0;
      return [
        ...(missing ? [`effect ${key}: it was accepted and never happened`] : []),
        ...(physical > granted ? [`effect ${key}: ${physical} calls, ${granted} attempts were granted`] : []),
      ];
    });
  });
  const unasked = [...called.keys()].filter((key) => !known.has(key));
  return [...sentences, ...unasked.map((key) => `effect ${key}: it happened for no attempt`)];
}

/** Attempts that were granted, by activation. A probe is granted too, but has no effect. */
function grantsOf(run: RecordedRun): ReadonlyMap<ActivationId, number> {
  const granted = new Map<ActivationId, number>();
  for (const event of ofKind(run, 'attempt_granted')) {
    const activation = activationOf(event) as ActivationId;
    if (roleOf(activation) === 'reconciliation') continue;
    granted.set(activation, (granted.get(activation) ?? 0) + 1);
  }
  return granted;
}

/** Activations with an accepted result, but for what an operator has said: a person answers for that. */
function acceptedReports(run: RecordedRun): readonly string[] {
  const said = new Set(
    ofKind(run, 'intervention_resolved').flatMap((event) =>
      (event['resolution'] as { readonly kind: string }).kind === 'applied' ? [activationOf(event)] : [],
    ),
  );
  return run.events.flatMap((event) => resultOf(event) ?? []).filter((activation) => !said.has(activation));
}
