import type { Reader } from './reader.js';

interface Setting {
  readonly name: string;
  readonly allowed: readonly string[];
  readonly otherwise: string;
}

/** What a receipt rests on (spec 04 "Authority"): without these a committed transaction may be lost. */
const REQUIRED: readonly Setting[] = [
  {
    name: 'fsync',
    allowed: ['on'],
    otherwise: 'a power loss can lose or corrupt everything',
  },
  {
    name: 'full_page_writes',
    allowed: ['on'],
    otherwise: 'a power loss can leave torn pages behind that no log repairs',
  },
  {
    name: 'synchronous_commit',
    allowed: ['on', 'remote_apply'],
    otherwise: 'a crash can lose transactions that were reported as committed',
  },
];

/** One sentence for each required setting that is not met. */
export async function unmetSettings(reader: Reader): Promise<string[]> {
  const rows = await reader.rows<{ name: string; setting: string }>(
    // What sessions begin with: our own raise synchronous_commit for themselves.
    'SELECT name, reset_val AS setting FROM pg_settings WHERE name = ANY($1::text[])',
    [REQUIRED.map((setting) => setting.name)],
  );
  return REQUIRED.flatMap(({ name, allowed, otherwise }) => {
    const value = rows.find((row) => row.name === name)?.setting ?? 'not known';
    if (allowed.includes(value)) return [];
    return [`PostgreSQL's setting ${name} is '${value}': ${otherwise}. Set it to '${allowed[0]}'.`];
  });
}
