import { describe, expect, it } from '@jest/globals';
import type { SessionId } from '@graphrun/domain';
import { createEmbeddedMessaging } from '@graphrun/messaging';
import type { SessionHandlers } from '@graphrun/messaging';
import { GraphrunError } from '@graphrun/protocol';
import type { SessionInfo } from '@graphrun/protocol';
import { ManualClock } from '../spec/manual-clock.js';
import { WorkerDirectory } from './worker-directory.js';

const CHARGE = { activity: 'charge', version: 1, role: 'forward', contractDigest: 'known' } as const;

function session(name: string, contractDigest: string, of: Partial<SessionInfo> = {}): SessionInfo {
  const { activity, version, role } = CHARGE;
  const digests = { codecVersion: 1, inputSchemaDigest: 'i', outputSchemaDigest: 'o', contractDigest };
  return {
    session: name as SessionId,
    worker: name,
    principal: name,
    startedAt: 0,
    capabilities: [{ activity, version, role, slots: 1, ...digests }],
    unknownContracts: [],
    draining: false,
    running: 0,
    ...of,
  };
}

describe('the directory of workers', () => {
  it('tells workers that know the contract from those that hand the work back, and counts no draining one', async () => {
    const messaging = createEmbeddedMessaging({ clock: () => 0 });
    const infos = [
      session('a', 'known'),
      session('b', 'other'),
      session('c', 'other'),
      session('d', 'known', { draining: true }),
    ];
    for (const info of infos) {
      const handlers: SessionHandlers = {
        info: () => info,
        onOffer: () => undefined,
        onGrant: () => undefined,
        onAbort: () => undefined,
      };
      await messaging.queue.openSession(info, handlers);
    }
    const directory = new WorkerDirectory(messaging.queue, new ManualClock());
    const workersFor = await directory.workersFor();
    expect(workersFor?.(CHARGE)).toEqual({ able: 1, otherContract: 2 });
    expect(workersFor?.({ ...CHARGE, contractDigest: 'newest' })).toEqual({ able: 0, otherContract: 3 });
    expect(workersFor?.({ ...CHARGE, role: 'compensation' })).toEqual({ able: 0, otherContract: 0 });
    expect(workersFor?.({ ...CHARGE, version: 2 })).toEqual({ able: 0, otherContract: 0 });
    await messaging.close();
  });

  it('does not guess when nobody can be asked', async () => {
    const away = new GraphrunError('Unavailable', 'not connected');
    const directory = new WorkerDirectory({ sessions: () => Promise.reject(away) }, new ManualClock());
    expect(await directory.workersFor()).toBeNull();
  });
});
