import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanText } from './clean.js';
import { isMeasured, textWidth } from './metrics.js';
import { cutText, wrapText } from './wrap.js';

const FONT = { size: 10, bold: false };

describe('cleanText', () => {
  it('keeps what people write', () => {
    const text = 'Größe ≤ 3 – “über” 数量 \u{1f600} e\u0301';
    expect(cleanText(text)).toBe(text);
  });

  it('makes one line, and takes out what breaks XML or turns the direction of reading', () => {
    expect(cleanText('a\r\n\tb')).toBe('a b');
    expect(cleanText('a\u0000b\u001bc\u202ed\u2066e\ud800f\ufffeg')).toBe(
      'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg',
    );
  });
});

describe('textWidth', () => {
  it('adds up the widths of Helvetica', () => {
    expect(textWidth('Wait', FONT)).toBeCloseTo(9.44 + 5.56 + 2.22 + 2.78, 10);
    expect(textWidth('Wait', { size: 10, bold: true })).toBeCloseTo(9.44 + 5.56 + 2.78 + 3.33, 10);
    expect(textWidth('Wait', { size: 20, bold: false })).toBeCloseTo(2 * textWidth('Wait', FONT), 10);
  });

  it('takes letters with diacritics for the letters, and marks for nothing', () => {
    expect(textWidth('ü', FONT)).toBe(textWidth('u', FONT));
    expect(textWidth('u\u0308', FONT)).toBe(textWidth('u', FONT));
    expect(isMeasured('Größe'.replace('ß', ''))).toBe(true);
  });

  it('is wide rather than narrow where it does not know the character', () => {
    expect(textWidth('数', FONT)).toBe(10);
    expect(isMeasured('数')).toBe(false);
  });
});

describe('wrapText', () => {
  it('breaks at spaces', () => {
    expect(wrapText('one two three', FONT, textWidth('one two', FONT), 3)).toEqual(['one two', 'three']);
  });

  it('breaks long names after a mark, and at last anywhere', () => {
    expect(wrapText('payment.charge_card', FONT, textWidth('payment.charge_', FONT) + 1, 3)).toEqual([
      'payment.charge_',
      'card',
    ]);
    expect(wrapText('aaaaaa', FONT, textWidth('aaaa', FONT), 3)).toEqual(['aaaa', 'aa']);
  });

  it('cuts the last line', () => {
    expect(wrapText('one two three four', FONT, textWidth('one two', FONT), 2)).toEqual(['one two', 'three\u2026']);
    expect(cutText('abc', FONT, 100)).toBe('abc');
  });

  it('never makes a line too long and loses nothing before the cut', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 15, max: 120 }),
        fc.integer({ min: 1, max: 5 }),
        (text, width, most) => {
          const lines = wrapText(text, FONT, width, most);
          expect(lines.length).toBeLessThanOrEqual(most);
          for (const line of lines) expect(textWidth(line, FONT)).toBeLessThanOrEqual(width);
          const kept = lines
            .join('')
            .replace(/\u2026$/, '')
            .replace(/\s/g, '');
          expect(text.replace(/\s/g, '').startsWith(kept)).toBe(true);
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });
});
