import { describe, expect, it } from '@jest/globals';
import { eventually, NeverHappened } from './eventually.js';

describe('eventually', () => {
  it('returns the first value that is not undefined, null or false', async () => {
    const answers = [undefined, null, false, 0];
    await expect(eventually('a value', () => answers.shift())).resolves.toBe(0);
    expect(answers).toEqual([]);
  });

  it('takes an assertion that fails as "not yet"', async () => {
    let count = 0;
    await eventually('the third call', () => {
      count += 1;
      expect(count).toBe(3);
      return true;
    });
    expect(count).toBe(3);
  });

  it('says what it saw last when the time is over', async () => {
    const failed = eventually('it is done', () => ({ done: 3, of: 5 }).done === 5, 20);
    await expect(failed).rejects.toThrow('"it is done" did not come true within 20 ms; last seen: false');
  });

  it('says what the last check threw, and keeps it as the cause', async () => {
    const cause = new Error('connection refused');
    const failed = eventually('it answers', () => Promise.reject(cause), 20);
    await expect(failed).rejects.toMatchObject({
      name: 'NeverHappened',
      message: '"it answers" did not come true within 20 ms; the last check failed: connection refused',
      cause,
    });
  });

  it('does not wait longer for a check that never answers', async () => {
    const failed = eventually('it answers', () => new Promise<true>(() => undefined), 20);
    await expect(failed).rejects.toBeInstanceOf(NeverHappened);
    await expect(failed).rejects.toThrow('the last check never answered');
  });
});
