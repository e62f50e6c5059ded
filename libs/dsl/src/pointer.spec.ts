import { describe, expect, it } from '@jest/globals';
import { escapeToken, parsePointer, resolvePointer } from './pointer.js';

const find = (value: unknown, pointer: string): unknown => resolvePointer(value as never, parsePointer(pointer) ?? []);

describe('JSON pointers', () => {
  it('follow the examples of RFC 6901', () => {
    const value = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7 };
    expect(find(value, '')).toBe(value);
    expect(['/foo/0', '/', '/a~1b', '/m~0n', '/ '].map((pointer) => find(value, pointer))).toEqual(['bar', 0, 1, 8, 7]);
  });

  it('unescape ~01 to ~1, not to a slash', () => {
    expect(parsePointer('/~01')).toEqual(['~1']);
    expect(escapeToken('~1/')).toBe('~01~1');
  });

  it.each(['a', '#/a', '/~', '/~2', '/a~'])('are not spelled %j', (text) => {
    expect(parsePointer(text)).toBeNull();
  });

  it('find nothing through null, scalars, out of range, or at what is inherited', () => {
    const value = { list: [1], nothing: null, text: 'abc' };
    for (const pointer of [
      '/list/1',
      '/list/-',
      '/list/00',
      '/list/length',
      '/nothing/x',
      '/text/0',
      '/constructor',
      '/__proto__',
    ]) {
      expect(find(value, pointer)).toBeUndefined();
    }
  });

  it('find an explicit null', () => {
    expect(find({ a: null }, '/a')).toBeNull();
  });
});
