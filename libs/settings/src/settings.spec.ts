import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { GraphrunError } from '@graphrun/protocol';
import { readSettings, settingsMarkdown } from './index.js';

function problemsOf(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    if (error instanceof GraphrunError) return error.details['problems'];
    throw error;
  }
  throw new Error('the settings were accepted');
}

describe('settings', () => {
  it('reads what is set and takes the default for the rest', () => {
    const environment = { GRAPHRUN_NATS_URLS: 'nats://a:4222, nats://b:4222', GRAPHRUN_HEALTH_PORT: '8080' };
    expect(readSettings(environment, ['natsUrls', 'partitions', 'healthPort', 'apiKeys'])).toEqual({
      natsUrls: ['nats://a:4222', 'nats://b:4222'],
      partitions: 16,
      healthPort: [8080],
      apiKeys: [],
    });
  });

  it('reports every mistake at once, and no secret', () => {
    const environment = {
      GRAPHRUN_PARTITIONS: 'many',
      GRAPHRUN_DATABASE_URL: 'mysql://root:hunter2@db/x',
      GRAPHRUN_API_KEYS: 'ci:short',
    };
    expect(problemsOf(() => readSettings(environment, ['partitions', 'databaseUrl', 'apiKeys', 'member']))).toEqual([
      'GRAPHRUN_PARTITIONS must be an integer from 1 to 1024, not "many".',
      'GRAPHRUN_DATABASE_URL must be a URL such as postgres://host:port.',
      'GRAPHRUN_API_KEYS must be a list, separated by commas, of name:token with a token of at least 16 characters.',
      'GRAPHRUN_MEMBER is not set: Id of this coordinator, never reused for another.',
    ]);
  });

  it('is documented as it is', async () => {
    const page = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page).toContain(settingsMarkdown());
  });
});
