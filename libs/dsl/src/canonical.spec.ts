import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byteLength, canonicalize } from './canonical.js';
import { sha256Hex } from './digest.js';
import type { Json } from './value.js';

describe('canonicalize', () => {
  it('orders keys by UTF-16 code units, as the example of RFC 8785 asks', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.keys(JSON.parse(canonicalize(value)) as object).toSorted()).toEqual(Object.keys(value).toSorted());
    expect(canonicalize(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });

  it('spells numbers as ECMAScript does', () => {
    expect(canonicalize([333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
    );
  });

  it('escapes what RFC 8785 escapes and nothing more', () => {
    expect(canonicalize('€$\u000f\nA\'B"\\\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
  });

  it('does not depend on the order of keys', () => {
    expect(canonicalize({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  });

  it('means the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalize(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('byteLength', () => {
  it('is the length in UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });
});

describe('sha256Hex', () => {
  it('gives the known digests', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
