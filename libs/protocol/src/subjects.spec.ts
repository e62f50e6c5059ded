import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeToken, Subjects, unescapeToken } from './subjects.js';

describe('subject tokens', () => {
  it('are made of safe characters only, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => /^[A-Za-z0-9_-]{1,64}$/.test(escapeToken(text))));
  });

  it('tell any two texts apart', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (a, b) => a === b || escapeToken(a) !== escapeToken(b),
      ),
    );
    expect(escapeToken('a.b')).not.toBe(escapeToken('a_2eb'));
  });

  it('can be read back while they are short', () => {
    for (const text of ['shop', 'a.b', 'ünïcode', 'under_score', 'a b*>'])
      expect(unescapeToken(escapeToken(text))).toBe(text);
  });
});

describe('command subjects', () => {
  const subjects = new Subjects('prod.eu');

  it('say who sends what to which partition', () => {
    const subject = subjects.command(7, 'client', 'shop.eu', 'start');
    expect(subject).toBe('gr.prod_2eeu.cmd.7.client.shop_2eeu.start');
    expect(subjects.parseCommand(subject)).toEqual({
      partition: 7,
      role: 'client',
      principal: 'shop.eu',
      kind: 'start',
    });
  });

  it.each([
    'gr.other.cmd.7.client.shop.start',
    'gr.prod_2eeu.cmd.7.engine.shop.start',
    'gr.prod_2eeu.cmd.x.client.shop.start',
    'gr.prod_2eeu.cmd.7.client.shop',
    'gr.prod_2eeu.cmd.7.client.shop.start.more',
    'gr.prod_2eeu.work.7.client.shop.start',
  ])('are nothing else: %s', (subject) => {
    expect(subjects.parseCommand(subject)).toBeNull();
  });

  it('keep the inboxes of principals apart', () => {
    expect(subjects.inbox('client', 'a', 'x').startsWith(subjects.inboxPrefix('client', 'a.b'))).toBe(false);
    expect(subjects.inbox('client', 'a.b', 'x').startsWith(subjects.inboxPrefix('client', 'a'))).toBe(false);
  });
});
