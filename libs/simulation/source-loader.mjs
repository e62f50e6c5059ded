/**
 * Runs TypeScript from the sources, as the tests do, so that a simulation needs no build and never runs on an old one. With
 * `GRAPHRUN_PLANT`, the path of a JSON file `{file, from, to}`, one place of one source is replaced: a planted bug.
 */
import { readFileSync } from 'node:fs';
import { register } from 'node:module';

const plant = process.env.GRAPHRUN_PLANT;
register('./source-hooks.mjs', import.meta.url, {
  data: plant === undefined ? null : JSON.parse(readFileSync(plant, 'utf8')),
});
