/** Sources of 256 KiB that a parser of YAML could choke on, with the codes that they are refused for. */
import { LIMITS } from '../limits.js';
import type { HostileDocument } from './hostile-documents.js';

function fill(piece: string): string {
  return piece.repeat(Math.floor(LIMITS.yamlBytes / piece.length));
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

const refused = (code: string, source: string): HostileDocument => ({ source, codes: [code] });

/** By what they hold much of. */
export const HOSTILE_SOURCES: Readonly<Record<string, HostileDocument>> = {
  'opening brackets': refused('GR1008', fill('[')),
  'opening braces': refused('GR1008', fill('{')),
  'flow maps in flow maps': refused('GR1008', fill('{a: ')),
  'lists in lists': refused('GR1008', fill('- ')),
  'explicit keys': refused('GR1008', fill('? ')),
  colons: refused('GR1008', fill(': ')),
  'closing brackets': refused('GR1001', fill(']')),
  'empty lists side by side': refused('GR1001', fill('[]')),
  commas: refused('GR1001', `[${fill(',').slice(1)}`),
  quotes: refused('GR1001', fill('"')),
  documents: refused('GR1003', fill('---\n')),
  directives: { source: fill('%\n'), codes: ['GR1004', 'GR1003'] },
  anchors: refused('GR1001', fill('&a ')),
  aliases: refused('GR1001', fill('*a ')),
  tags: refused('GR1001', fill('!a ')),
  'aliases of aliases': {
    source: `a0: &a0 [x]\n${lines(20, (index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]`)}`,
    codes: ['GR1101', 'GR1102', 'GR1004'],
  },
  'equal keys': { source: fill('a:\n'), codes: ['GR1005', 'GR1000'] },
  indentation: refused(
    'GR1008',
    lines(700, (index) => `${' '.repeat(index)}a:`),
  ),
  'ten thousand keys': { source: lines(10_000, (index) => `k${index}: 1`), codes: ['GR1101', 'GR1000'] },
  'ten thousand nodes': {
    source: `nodes:\n${lines(10_000, (index) => `  k${index}: {}`)}`,
    codes: ['GR1102', 'GR1113'],
  },
  'one long number': { source: `a: ${'9'.repeat(LIMITS.yamlBytes - 4)}`, codes: ['GR1101', 'GR1102', 'GR1007'] },
  'one long string': { source: `a: "${'\\n'.repeat(LIMITS.yamlBytes / 2 - 4)}"`, codes: ['GR1101', 'GR1102'] },
  'one long key, twice': {
    source: `"${'k'.repeat(100_000)}": 1\n"${'k'.repeat(100_000)}": 1\n`,
    codes: ['GR1001'],
  },
  'one long name': { source: `a: {from: nodes.${'a.'.repeat(100_000)}}`, codes: ['GR1101', 'GR1102'] },
  'empty keys': { source: fill(' :\n'), codes: ['GR1010', 'GR1000'] },
  'numbers side by side': { source: `labels: [${fill('1,').slice(20)}]`, codes: ['GR1102', 'GR1103'] },
  spaces: refused('GR1003', fill(' ')),
  tabs: refused('GR1003', fill('\t')),
  'line ends': refused('GR1003', fill('\n')),
  'carriage returns': refused('GR1103', fill('\r')),
  'comments before a document': { source: `${fill('# a\n').slice(40)}dsl: graphrun/v1\n`, codes: ['GR1102'] },
  'more than 256 KiB': refused('GR1002', `${fill('é')}é`),
};
