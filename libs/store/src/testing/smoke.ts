import { openEmbedded, openPostgres } from '@graphrun/store';
const t = performance.now();
const db =
  process.argv[2] === 'pg'
    ? await openPostgres({ url: 'postgres://graphrun@127.0.0.1:5499/postgres', applicationName: 'smoke' })
    : await openEmbedded({ dataDir: '/tmp/gsb/data' });
console.log('open', performance.now() - t);
let t2 = performance.now();
console.log('pending', await db.pendingMigrations());
console.log('pending took', performance.now() - t2);
t2 = performance.now();
await db.migrate();
console.log('migrate', performance.now() - t2);
console.log(await db.cluster(), await db.checkSettings());
await db.engine.initPartitions(4);
const p = await db.engine.takeOver(1, 'me', (await db.engine.partitions())[1]!.epoch, 10000);
console.log(p);
const clock = await db.engine.clock();
console.log(
  await db.engine.apply([
    {
      move: {
        partition: 1,
        epoch: p!.epoch,
        incarnation: p!.incarnation,
        commitNo: p!.commitNo,
        position: { seq: p!.position.seq + 1, messageId: 'x', timestamp: clock },
        engineTime: clock,
      },
      events: [],
      runInserts: [],
      runUpdates: [],
      wakes: [],
      wakeDeletes: [],
      checkpoints: [],
      results: [
        { partition: 1, principal: 'a', commandId: ('c' + clock) as never, digest: 'd', result: '{}', at: clock },
      ],
      quarantined: [],
      unrecoverable: [],
    },
  ]),
);
console.log(
  await db.query.partitions(),
  await db.engine.recentResults(1, 0),
  await db.query.listRuns({ namespace: 'x' }, 10, null),
  await db.query.countRuns({ namespace: 'x' }),
);
await db.close();
console.log('total', performance.now() - t);
