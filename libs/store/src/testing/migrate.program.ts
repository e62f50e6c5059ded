/** Migrates the store of the given URL when told to, and says how it went. */
import { once } from 'node:events';
import { openPostgres } from '../index.js';

const store = await openPostgres({ url: process.argv[2] ?? '', applicationName: `migrate ${process.pid}` });
console.log('ready');
await once(process.stdin, 'data');
await store.migrate();
console.log(`pending ${await store.pendingMigrations()}`);
await store.close();
process.exit(0);
