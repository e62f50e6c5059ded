/** Tries to lock a directory when told to, says whether it has it, and keeps it until it is killed. */
import { once } from 'node:events';
import { DirectoryLock } from '../embedded/directory-lock.js';

console.log('ready');
await once(process.stdin, 'data');
try {
  DirectoryLock.acquire(process.argv[2] ?? '');
  console.log('mine');
} catch (error) {
  console.log(String(error));
}
setInterval(() => undefined, 60_000);
