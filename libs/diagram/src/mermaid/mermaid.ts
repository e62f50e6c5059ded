/** A definition as a Mermaid flowchart: containers are subgraphs, and every text of the drawing stands in it. */
import { bodiesOf, isNodeKey } from '@graphrun/dsl';
import type { Annotation, Annotations, Definition, Node, Region } from '@graphrun/dsl';
import { annotationLines } from '../words/annotation-words.js';
import { drawingOrder } from '../words/drawing-order.js';
import { outEdges } from '../words/edge-words.js';
import type { EdgeField } from '../words/edge-words.js';
import { bodyWords, nodeWords } from '../words/node-words.js';
import { headingLines, pictureTitle, summaryOf } from '../words/summary.js';
import { mermaidLabel, mermaidText } from './escape.js';

/**
 * The text of a `.mmd` file; it ends with a line break. Ids are made of the number of the region and the node's key, so
 * none is a word of Mermaid's. Throws RangeError for what the compiler refuses: edges to nowhere or in a circle.
 */
export function toMermaid(definition: Definition, annotations: Annotations = {}): string {
  return new Flowchart(annotations).write(definition);
}

/** By kind, what stands before and after the label. */
const SHAPES: Readonly<Partial<Record<Node['kind'], readonly [string, string]>>> = {
  delay: ['(', ')'],
  wait_until: ['(', ')'],
  wait_signal: ['(', ')'],
  complete: ['([', '])'],
  fail: ['[[', ']]'],
  continue_as_new: ['([', '])'],
};
const RECTANGLE = ['[', ']'] as const;

/** Borders only: text and ground are the viewer's, light or dark. */
const STYLES: Readonly<Partial<Record<Node['kind'] | 'start', string>>> = {
  start: 'stroke:#8592a0,stroke-width:2px',
  activity: 'stroke:#4c7fe0',
  delay: 'stroke:#c27a1a',
  wait_until: 'stroke:#c27a1a',
  wait_signal: 'stroke:#c27a1a',
  complete: 'stroke:#2c9d5b,stroke-width:2px',
  fail: 'stroke:#d64545,stroke-width:2px',
  continue_as_new: 'stroke:#8b5cf6,stroke-width:2px',
};
const LINE_STYLES: Readonly<Partial<Record<EdgeField, string>>> = {
  on_timeout: 'stroke:#c27a1a',
  on_error: 'stroke:#d64545',
};

class Flowchart {
  readonly #lines: string[] = [];
  readonly #byStyle = new Map<Node['kind'] | 'start', string[]>();
  readonly #byField = new Map<EdgeField, number[]>();
  #regions = 0;
  #edges = 0;

  constructor(private readonly annotations: Annotations) {}

  write(definition: Definition): string {
    const title = pictureTitle(definition);
    const heading = [title, ...headingLines(definition, this.annotations).map(({ text }) => text)];
    this.#line(0, 'flowchart TB');
    this.#line(1, `accTitle: ${mermaidText(title)}`);
    this.#line(1, `accDescr: ${mermaidText(summaryOf(definition, this.annotations))}`);
    this.#line(1, `subgraph workflow[${mermaidLabel(heading)}]`);
    this.#region(definition.root, '/root', 2);
    this.#line(1, 'end');
    this.#styles();
    return `${this.#lines.join('\n')}\n`;
  }

  #region(region: Region, pointer: string, depth: number): void {
    const prefix = `r${this.#regions}`;
    this.#regions += 1;
    const order = drawingOrder(region);
    const ids = new Map(order.map((key, index) => [key, isNodeKey(key) ? `${prefix}_${key}` : `${prefix}__${index}`]));
    const idOf = (key: string) => ids.get(key) ?? prefix;
    this.#line(depth, 'direction TB');
    this.#line(depth, `${prefix}_(("start"))`);
    this.#styled('start', `${prefix}_`);
    for (const key of order) {
      const node = region.nodes[key];
      if (node !== undefined) this.#node(idOf(key), key, node, `${pointer}/nodes/${key}`, depth);
    }
    this.#edge(depth, `${prefix}_`, idOf(region.start), 'start', '');
    for (const key of order) {
      const node = region.nodes[key];
      if (node === undefined) continue;
      for (const { field, to, label } of outEdges(node)) this.#edge(depth, idOf(key), idOf(to), field, label);
    }
  }

  #node(id: string, key: string, node: Node, pointer: string, depth: number): void {
    const label = mermaidLabel([key, ...nodeWords(node).map(({ text }) => text), ...this.#annotation(pointer)]);
    const bodies = bodiesOf(node);
    if (bodies.length === 0) {
      const [open, close] = SHAPES[node.kind] ?? RECTANGLE;
      this.#line(depth, `${id}${open}${label}${close}`);
      this.#styled(node.kind, id);
      return;
    }
    this.#line(depth, `subgraph ${id}[${label}]`);
    bodies.forEach(({ pointer: below, region }, index) => {
      const words = bodyWords(node, index);
      const body = `${pointer}${below}`;
      if (words === null) {
        this.#region(region, body, depth + 1);
        return;
      }
      const lines = [words.title, words.when, ...this.#annotation(body.replace(/\/body$/, ''))];
      this.#line(depth + 1, `subgraph ${id}__${index}[${mermaidLabel(lines.filter((line) => line !== ''))}]`);
      this.#region(region, body, depth + 2);
      this.#line(depth + 1, 'end');
    });
    this.#line(depth, 'end');
  }

  #annotation(pointer: string): readonly string[] {
    const annotation: Annotation | undefined = this.annotations[pointer];
    return annotationLines(annotation).map(({ text }) => text);
  }

  #edge(depth: number, from: string, to: string, field: EdgeField, label: string): void {
    const arrow = field === 'on_error' || field === 'on_timeout' ? '-.->' : '-->';
    this.#line(depth, `${from} ${arrow}${label === '' ? '' : `|${mermaidLabel([label])}|`} ${to}`);
    if (LINE_STYLES[field] !== undefined) this.#byField.set(field, [...(this.#byField.get(field) ?? []), this.#edges]);
    this.#edges += 1;
  }

  #styled(kind: Node['kind'] | 'start', id: string): void {
    this.#byStyle.set(kind, [...(this.#byStyle.get(kind) ?? []), id]);
  }

  #styles(): void {
    for (const [kind, ids] of this.#byStyle) {
      this.#line(1, `classDef ${kind} ${STYLES[kind] ?? ''}`);
      this.#line(1, `class ${ids.join(',')} ${kind}`);
    }
    for (const [field, edges] of this.#byField) {
      this.#line(1, `linkStyle ${edges.join(',')} ${LINE_STYLES[field] ?? ''}`);
    }
  }

  #line(depth: number, text: string): void {
    this.#lines.push(`${'  '.repeat(depth)}${text}`);
  }
}
