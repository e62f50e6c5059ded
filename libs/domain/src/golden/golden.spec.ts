/**
 * Histories as they were once written, with the state they made then. They are never edited: when an event gets another
 * version, a history with it is added (`testing/golden-histories.ts`), and these must still give the same states (spec 09 "old
 * histories"). Only `state` is written again, when the format of checkpoints changes: see `testing/write-goldens.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { canonicalize, loadProgram, type Artifact, type Json } from '@graphrun/dsl';
import {
  checkpointReferences,
  decodeCheckpoint,
  encodeCheckpoint,
  evolve,
  readableVersions,
  readEvent,
  reconstruct,
  type RunEvent,
} from '../index.js';

interface Golden {
  readonly about: string;
  readonly artifact: Artifact;
  readonly events: readonly Json[];
  /** The state after the last event, as a checkpoint. */
  readonly state: Json;
}

const FOLDER = import.meta.dirname;
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

function read(name: string): Golden {
  return JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as Golden;
}

describe.each(FILES)('golden history %s', (name) => {
  const golden = read(name);
  const program = loadProgram(golden.artifact);
  const events = golden.events.map(readEvent);
  const state = canonicalize(golden.state);

  it('still gives the state it gave when it was written', () => {
    expect(encodeCheckpoint(reconstruct(program, events))).toBe(state);
  });

  it('gives it from a checkpoint at any point, too', () => {
    for (let upTo = 1; upTo < events.length; upTo++) {
      const text = encodeCheckpoint(reconstruct(program, events, upTo));
      expect(checkpointReferences(text).every((seq) => seq <= upTo)).toBe(true);
      let run = decodeCheckpoint(program, text, (seq) => eventAt(events, seq));
      for (const event of events.slice(upTo)) run = evolve(run, event, program);
      expect(encodeCheckpoint(run)).toBe(state);
    }
  });
});

/** Read already, but written by nothing yet. */
const NOT_WRITTEN_YET = new Set(['run_continued@1']);

describe('golden histories', () => {
  it('hold every event kind in every version that can be read', () => {
    const held = new Set(
      FILES.flatMap((name) =>
        read(name)
          .events.map(readEvent)
          .map(({ body, v }) => `${body.kind}@${v}`),
      ),
    );
    expect([...held].sort()).toEqual(
      readableVersions()
        .map(({ kind, v }) => `${kind}@${v}`)
        .filter((each) => !NOT_WRITTEN_YET.has(each))
        .sort(),
    );
  });
});

function eventAt(events: readonly RunEvent[], seq: number): RunEvent {
  const event = events[seq - 1];
  if (event === undefined) throw new Error(`the history has no event ${seq}`);
  return event;
}
