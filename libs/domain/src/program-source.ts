/**
 * Where the definitions come from that the events of a run name: one for most, several for a run that was opened again with
 * another version.
 */
import type { Program } from '@graphrun/dsl';
import { HistoryError } from './errors.js';

/** The only one, or all of them by digest. */
export type ProgramSource = Program | ReadonlyMap<string, Program>;

export function programIn(source: ProgramSource, digest: string): Program | undefined {
  if (source instanceof Map) return (source as ReadonlyMap<string, Program>).get(digest);
  const program = source as Program;
  return program.digest === digest ? program : undefined;
}

/** @throws HistoryError when it is not there; `what` begins the sentence. */
export function programOf(source: ProgramSource, digest: string, what: string): Program {
  const program = programIn(source, digest);
  if (program !== undefined) return program;
  const given =
    source instanceof Map ? [...(source as ReadonlyMap<string, Program>).keys()] : [(source as Program).digest];
  throw new HistoryError(`${what} artifact ${digest}, but was given ${given.join(', ')}`);
}
