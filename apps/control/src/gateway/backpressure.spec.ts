import { beforeEach, describe, expect, it } from '@jest/globals';
import { GraphrunError } from '@graphrun/protocol';
import { Backpressure } from './backpressure.js';

describe('backpressure', () => {
  let now = 0;
  let backpressure: Backpressure;
  const notice = (backlog: number) => ({ partition: 3, epoch: 1, commitNo: 1, backlog, changes: [] });
  const refusal = (partition: number): string | null => {
    try {
      backpressure.admit(partition);
      return null;
    } catch (error) {
      if (error instanceof GraphrunError) return error.code;
      throw error;
    }
  };

  beforeEach(() => {
    now = 1_000_000;
    backpressure = new Backpressure({ now: () => now, after: () => () => undefined });
  });

  it('refuses commands of a partition whose owner is 4,096 commands behind, and of no other', () => {
    backpressure.note(notice(4096));
    expect([refusal(3), refusal(2)]).toEqual(['ResourceExhausted', null]);
  });

  it('admits below that, and as soon as the owner has caught up', () => {
    backpressure.note(notice(4095));
    expect(refusal(3)).toBeNull();
    backpressure.note(notice(5000));
    backpressure.note(notice(10));
    expect(refusal(3)).toBeNull();
  });

  it('does not believe what was said long ago', () => {
    backpressure.note(notice(5000));
    now += 2001;
    expect(refusal(3)).toBeNull();
  });
});
