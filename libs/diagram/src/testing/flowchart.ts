/**
 * The part of Mermaid's flowcharts that we write, read back strictly: what is not in this grammar is an error. (The real
 * parser needs a browser and 200 MB; what this file accepts was compared with it by hand.)
 */

export interface Flowchart {
  readonly nodes: ReadonlyMap<string, { readonly shape: string; readonly lines: readonly string[] }>;
  readonly subgraphs: ReadonlyMap<string, { readonly lines: readonly string[]; readonly parent: string | null }>;
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly arrow: string;
    readonly label: string;
  }[];
  readonly classes: ReadonlyMap<string, string>;
  readonly linkStyles: ReadonlyMap<number, string>;
}

const ID = '[a-z][a-z0-9_]*';
const LABEL = '"([^"]*)"';
const SHAPES = [
  `\\[(?=")${LABEL}\\]`,
  `\\(\\[${LABEL}\\]\\)`,
  `\\(\\(${LABEL}\\)\\)`,
  `\\[\\[${LABEL}\\]\\]`,
  `\\((?=")${LABEL}\\)`,
];
const NAMES = ['rectangle', 'stadium', 'circle', 'double', 'round'];

const NODE = new RegExp(`^(${ID})(?:${SHAPES.join('|')})$`);
const SUBGRAPH = new RegExp(`^subgraph (${ID})\\[${LABEL}\\]$`);
const EDGE = new RegExp(`^(${ID}) (-->|-\\.->)(?:\\|${LABEL}\\|)? (${ID})$`);
const CLASS = new RegExp(`^class (${ID}(?:,${ID})*) (${ID})$`);
const CLASS_DEF = new RegExp(`^classDef (${ID}) (stroke:#[0-9a-f]{6}(?:,stroke-width:2px)?)$`);
const LINK_STYLE = /^linkStyle (\d+(?:,\d+)*) (stroke:#[0-9a-f]{6})$/;
/** Words that end or begin something in Mermaid when they stand alone. */
const RESERVED = new Set([
  'end',
  'subgraph',
  'graph',
  'flowchart',
  'style',
  'class',
  'classdef',
  'click',
  'default',
  'direction',
]);

export function readFlowchart(source: string): Flowchart {
  const nodes = new Map<string, { shape: string; lines: readonly string[] }>();
  const subgraphs = new Map<string, { lines: readonly string[]; parent: string | null }>();
  const edges: { from: string; to: string; arrow: string; label: string }[] = [];
  const classes = new Map<string, string>();
  const linkStyles = new Map<number, string>();
  const defined = new Set<string>();
  const open: string[] = [];
  const [first, ...rest] = source.replace(/\n$/, '').split('\n');
  if (first !== 'flowchart TB') throw new Error(`not a flowchart: ${first ?? ''}`);
  const declare = (id: string) => {
    if (RESERVED.has(id) || nodes.has(id) || subgraphs.has(id)) throw new Error(`${id} is taken`);
  };
  for (const line of rest.map((text) => text.trim())) {
    let match: RegExpExecArray | null;
    if (line === 'direction TB' || /^acc(Title|Descr): \S/.test(line)) continue;
    if (line === 'end') {
      if (open.pop() === undefined) throw new Error('an end too many');
    } else if ((match = SUBGRAPH.exec(line)) !== null) {
      const [, id = '', label = ''] = match;
      declare(id);
      subgraphs.set(id, { lines: linesOf(label), parent: open.at(-1) ?? null });
      open.push(id);
    } else if ((match = NODE.exec(line)) !== null) {
      const [, id = '', ...labels] = match;
      declare(id);
      const shape = labels.findIndex((label) => (label as string | undefined) !== undefined);
      nodes.set(id, { shape: NAMES[shape] ?? '', lines: linesOf(labels[shape] ?? '') });
    } else if ((match = EDGE.exec(line)) !== null) {
      const [, from = '', arrow = '', label = '', to = ''] = match;
      edges.push({ from, to, arrow, label: linesOf(label).join('\n') });
    } else if ((match = CLASS_DEF.exec(line)) !== null) {
      defined.add(match[1] ?? '');
    } else if ((match = CLASS.exec(line)) !== null) {
      const [, ids = '', name = ''] = match;
      if (!defined.has(name)) throw new Error(`class ${name} is not defined`);
      for (const id of ids.split(',')) classes.set(id, name);
    } else if ((match = LINK_STYLE.exec(line)) !== null) {
      for (const index of (match[1] ?? '').split(',')) linkStyles.set(Number(index), match[2] ?? '');
    } else throw new Error(`not in the grammar: ${line}`);
  }
  if (open.length > 0) throw new Error(`${open.join(', ')} is not closed`);
  for (const { from, to } of edges) {
    for (const id of [from, to]) if (!nodes.has(id) && !subgraphs.has(id)) throw new Error(`${id} is not declared`);
  }
  for (const id of classes.keys()) if (!nodes.has(id)) throw new Error(`${id} is not declared`);
  for (const index of linkStyles.keys()) if (index >= edges.length) throw new Error(`there is no edge ${index}`);
  return { nodes, subgraphs, edges, classes, linkStyles };
}

/** The lines that a label shows. Throws where Mermaid would read something in it as Markdown, HTML or an entity. */
function linesOf(label: string): readonly string[] {
  return label.split('<br/>').map((line) => {
    const plain = line.replace(/#\d+;/g, '');
    if (/[#&<>`*~\\[\](){}|;%$@:']|^\s*([-+]|\d+\.)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|www\./iu.test(plain)) {
      throw new Error(`${line} is not plain`);
    }
    return line.replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  });
}
