import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byteLength } from './canonical.js';
import { checkValue, parseJson } from './value-check.js';

const KIB_256 = 256 * 1024;

describe('checkValue', () => {
  it.each([
    null,
    true,
    0,
    -1,
    1.5,
    1e-7,
    9007199254740991,
    -9007199254740991,
    '',
    'ä€😀',
    [],
    {},
    { a: [1, { b: null }] },
  ])('accepts %j', (value) => {
    expect(checkValue(value)).toBeNull();
  });

  it.each([
    [{ a: [9007199254740992] }, '/a/0', 'is an integer beyond 9007199254740991; send it as a string'],
    [[-9007199254740992], '/0', 'is an integer beyond 9007199254740991; send it as a string'],
    [{ 'x/y~z': -0 }, '/x~1y~0z', 'is -0; write 0'],
    [Number.NaN, '', 'is NaN, which JSON does not have'],
    [Number.NEGATIVE_INFINITY, '', 'is not a finite number'],
    [{ a: 'x\0y' }, '/a', 'holds a NUL character, which cannot be stored'],
    [['\ud800'], '/0', 'holds half of a surrogate pair, which is not text'],
    [['\udc00\ud800'], '/0', 'holds half of a surrogate pair, which is not text'],
    [{ '\ud800': 1 }, '', 'has a key that holds half of a surrogate pair, which is not text'],
    [{ a: { '\0': 1 } }, '/a', 'has a key that holds a NUL character, which cannot be stored'],
    [{ a: undefined }, '/a', 'is undefined, which JSON does not have; leave the member out or say null'],
    [[1n], '/0', 'is a bigint, which JSON does not have'],
    [{ at: new Date(0) }, '/at', 'is not a plain JSON object'],
    [{ f: () => 1 }, '/f', 'is a function, which JSON does not have'],
  ])('refuses %p with its pointer', (value, pointer, message) => {
    expect(checkValue(value)).toEqual({ pointer, message });
  });

  it('counts a scalar as depth 0 and refuses depth 33', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(checkValue(nested(32))).toBeNull();
    expect(checkValue(nested(33))).toEqual({
      pointer: '/0'.repeat(32),
      message: 'is nested deeper than 32 levels',
      limit: 'depth',
    });
    expect(checkValue(nested(3), { maxDepth: 2 })?.message).toBe('is nested deeper than 2 levels');
  });

  it('refuses an object that contains itself', () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(checkValue(loop)?.limit).toBe('depth');
  });

  it('accepts exactly 256 KiB and refuses a byte more', () => {
    expect(checkValue('x'.repeat(KIB_256 - 2))).toBeNull();
    expect(checkValue('x'.repeat(KIB_256 - 1))).toEqual({
      pointer: '',
      message: 'is larger than 262144 bytes; store it elsewhere and pass a reference',
      limit: 'payloadBytes',
    });
  });

  it('counts bytes as JSON.stringify writes them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        if (checkValue(value) !== null) return;
        const bytes = byteLength(JSON.stringify(value));
        expect(checkValue(value, { maxBytes: bytes })).toBeNull();
        expect(checkValue(value, { maxBytes: bytes - 1 })?.limit).toBe('payloadBytes');
      }),
      { numRuns: 500 },
    );
  });

  it('counts escapes and wide characters', () => {
    for (const text of ['"\\/\b\t\n\f\r', '\u0001\u001f\u007f', 'é', '€', '😀']) {
      const bytes = byteLength(JSON.stringify(text));
      expect(checkValue(text, { maxBytes: bytes })).toBeNull();
      expect(checkValue(text, { maxBytes: bytes - 1 })?.limit).toBe('payloadBytes');
    }
  });
});

describe('parseJson', () => {
  it('returns the value of good JSON', () => {
    expect(parseJson('{"a": [1, 2.5, "x", null]}')).toEqual({ ok: true, value: { a: [1, 2.5, 'x', null] } });
  });

  it.each([
    ['{"a": 9007199254740993}', '/a'],
    ['[1e400]', '/0'],
    ['[-0]', '/0'],
    ['["\\ud800"]', '/0'],
    ['{"a": "\\u0000"}', '/a'],
  ])('refuses %s at %s', (text, pointer) => {
    expect(parseJson(text)).toMatchObject({ ok: false, issue: { pointer } });
  });

  it.each(['', '{', '[1,]', 'undefined', '01', '{"a" 1}'])('refuses %j, which is not JSON', (text) => {
    const result = parseJson(text);
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.issue.message).toMatch(/^is not JSON: /);
  });

  it('keeps a member called __proto__ as a member', () => {
    const result = parseJson('{"__proto__": {"a": 1}}');
    expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__']);
  });
});
