/** The fixture of a spec file: one for each test, closed after it. */
import { afterEach } from '@jest/globals';
import type { Contract } from '@graphrun/dsl';
import { openFixture } from './worker-fixture.js';
import type { FixtureOptions, WorkerFixture } from './worker-fixture.js';

export function useFixture(
  contracts: readonly Contract[],
): (options?: Partial<FixtureOptions>) => Promise<WorkerFixture> {
  let fixture: WorkerFixture | null = null;
  afterEach(async () => {
    await fixture?.close();
    fixture = null;
  });
  return async (options = {}) => (fixture = await openFixture({ contracts, ...options }));
}
