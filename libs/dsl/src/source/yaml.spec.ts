import { describe, expect, it } from '@jest/globals';
import { Reporter } from '../diagnostic.js';
import { toJson } from './tree.js';
import { readYaml } from './yaml.js';

function read(source: string): { readonly value: unknown; readonly faults: readonly string[] } {
  const reporter = new Reporter();
  const tree = readYaml(source, reporter);
  const faults = reporter
    .diagnostics(source, 'f')
    .map((d) => `${d.line}:${d.column}-${d.endLine}:${d.endColumn} ${d.code}`);
  return { value: tree === null ? undefined : toJson(tree), faults };
}

describe('YAML scalars', () => {
  it('are those of the 1.2 core schema: yes, on, dates and underscores are strings', () => {
    expect(read('[yes, no, on, off, y, 2020-01-01, 12:30, 1_000, "0x10", 1.2.3, .5a]')).toEqual({
      value: ['yes', 'no', 'on', 'off', 'y', '2020-01-01', '12:30', '1_000', '0x10', '1.2.3', '.5a'],
      faults: [],
    });
  });

  it('are null, booleans and JSON numbers', () => {
    expect(read('[~, null, NULL, , true, FALSE, 0, -7, 1.50, 1e3, 2E-2, 9007199254740991]'.replace(' ,', ''))).toEqual({
      value: [null, null, null, true, false, 0, -7, 1.5, 1000, 0.02, 9007199254740991],
      faults: [],
    });
  });

  it.each(['012', '0x10', '0xFF', '0o7', '.5', '1.', '+5', '-.5', '.inf', '-.INF', '.nan', '00', '-01', '1.e3'])(
    'are refused as numbers when spelled %s',
    (spelling) => {
      expect(read(`a: ${spelling}`).faults).toEqual([`1:4-1:${4 + spelling.length} GR1006`]);
    },
  );

  it.each(['9007199254740992', '-9007199254740993', '123456789012345678901234567890', '1e400', '-0', '-0.0', '1e16'])(
    'are refused as numbers when %s cannot be kept',
    (spelling) => {
      expect(read(`a: ${spelling}`).faults).toEqual([`1:4-1:${4 + spelling.length} GR1007`]);
    },
  );

  it('may be quoted, folded and literal', () => {
    expect(read('a: "012"\nb: \'0x10\'\nc: |\n  x\n  y\nd: >-\n  x\n  y\n').value).toEqual({
      a: '012',
      b: '0x10',
      c: 'x\ny\n',
      d: 'x y',
    });
  });

  it('with half a surrogate pair are refused', () => {
    expect(read('a: "\\ud800"\n"\\udc00": 1').faults).toEqual(['1:4-1:12 GR1009', '2:1-2:9 GR1009']);
  });
});

describe('YAML structure', () => {
  it('may begin with a byte-order mark, have CRLF line ends, comments and a version directive', () => {
    expect(read('\ufeffa: 1\r\nb:\r\n  - 2 # two\r\n').value).toEqual({ a: 1, b: [2] });
    expect(read('%YAML 1.2\n---\na: 1\n...\n').value).toEqual({ a: 1 });
  });

  it('keeps a key called __proto__ as a key', () => {
    expect(Object.keys(read('__proto__: {a: 1}').value as object)).toEqual(['__proto__']);
  });

  it('reports each of many forbidden features at its place', () => {
    expect(read('a: &x 1\nb: *x\nc: !t y\n<<: {d: 1}\n').faults).toEqual([
      '1:4-1:6 GR1004',
      '2:4-2:6 GR1004',
      '3:4-3:6 GR1004',
      '4:1-4:3 GR1004',
    ]);
  });

  it('does not mind "<<" as a quoted key', () => {
    expect(read('"<<": 1').value).toEqual({ '<<': 1 });
  });

  it('reports every duplicate of a key, in block and flow maps', () => {
    expect(read('a: 1\nb: {c: 1, c: 2, c: 3}\na: 2\n').faults).toEqual([
      '2:11-2:12 GR1005',
      '2:17-2:18 GR1005',
      '3:1-3:2 GR1005',
    ]);
  });

  it('reports keys that are not strings', () => {
    expect(read('1: a\nnull: b\ntrue: c\n? [x]\n: d\n').faults).toEqual([
      '1:1-1:2 GR1010',
      '2:1-2:5 GR1010',
      '3:1-3:5 GR1010',
      '4:3-4:6 GR1010',
    ]);
  });

  it('reports one syntax error for a line', () => {
    expect(read('a: b: c: d\ne: 1\nf: "open').faults.map((fault) => fault.split(':')[0])).toEqual(['1', '3']);
  });

  it('does not expand aliases, however they multiply', () => {
    const lines = ['a0: &a0 [x, x]'];
    for (let index = 1; index < 40; index += 1) lines.push(`a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`);
    expect(read(lines.join('\n')).faults).toHaveLength(40 + 39 * 2);
  });
});
