/** Opens a data directory and commits without end, one event each, saying the number of each commit that is done. */
import { openEmbedded } from '../index.js';
import { commit, events, newRun, owned } from './writes.js';

const store = await openEmbedded({ dataDir: process.argv[2] ?? '' });
await store.migrate();
await store.engine.initPartitions(1);
let row = await owned(store);
for (;;) {
  const run = newRun();
  const outcome = await store.engine.apply([commit(row, { runInserts: [run], events: [events(run.run, 1)] })]);
  if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
  row = { ...row, commitNo: row.commitNo + 1, position: { ...row.position, seq: row.position.seq + 1 } };
  console.log(String(row.commitNo));
}
