import { describe, expect, it } from '@jest/globals';
import { table } from './table.js';

describe('a table', () => {
  it('is as wide as its cells, names to the left and figures to the right', () => {
    expect(
      table(
        ['', 'rate'],
        [
          ['B1', '1000'],
          ['B1 bare path', '9'],
        ],
      ),
    ).toBe(['              rate', '------------  ----', 'B1            1000', 'B1 bare path     9'].join('\n'));
  });
});
