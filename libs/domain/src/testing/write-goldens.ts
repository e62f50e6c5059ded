/**
 * Writes golden histories: `npm run jest -- --config libs/domain/jest.goldens.mjs`, by hand, and never by the tests.
 *
 * A history that is there stays as it is. Only its `state` is written again, and only when the format of checkpoints has got
 * another version: then the events must be read as before, and what the state says is to be looked at.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from '@jest/globals';
import { loadProgram, type Artifact, type Json } from '@graphrun/dsl';
import { CHECKPOINT_FORMAT } from '../checkpoint/format.js';
import { encodeCheckpoint, readEvent, reconstruct } from '../index.js';
import { GOLDEN_HISTORIES } from './golden-histories.js';

interface Golden {
  readonly about: string;
  readonly artifact: Artifact;
  readonly events: readonly Json[];
  readonly state: { readonly format: string };
}

const FOLDER = path.join(import.meta.dirname, '../golden');

function write(file: string, golden: object): void {
  writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`);
  console.info(`wrote ${path.relative(process.cwd(), file)}; format it with prettier`);
}

describe('golden histories', () => {
  it('get the format of checkpoints that is written today', () => {
    for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.json'))) {
      const file = path.join(FOLDER, name);
      const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden;
      if (golden.state.format === CHECKPOINT_FORMAT) continue;
      const run = reconstruct(loadProgram(golden.artifact), golden.events.map(readEvent));
      write(file, { ...golden, state: JSON.parse(encodeCheckpoint(run)) as Json });
    }
  });

  it.each(Object.entries(GOLDEN_HISTORIES))('%s is written once', (name, { about, run }) => {
    const file = path.join(FOLDER, `${name}.json`);
    if (existsSync(file)) return;
    const { scenario } = run();
    const { artifact } = scenario.program;
    write(file, {
      about,
      artifact,
      events: scenario.history,
      state: JSON.parse(encodeCheckpoint(scenario.run)) as Json,
    });
  });
});
