/** What stands above a picture, and the workflow in sentences for those who do not see it. */
import { formatDuration, nodesOf } from '@graphrun/dsl';
import type { Annotations, Definition, Node } from '@graphrun/dsl';
import { cleanText } from '../text/clean.js';
import { annotationLines, descriptionOf } from './annotation-words.js';
import type { AnnotationLine } from './annotation-words.js';
import { drawingOrder } from './drawing-order.js';
import { outEdges } from './edge-words.js';
import type { OutEdge } from './edge-words.js';
import { nodeWords } from './node-words.js';

/** Steps that are told one by one; a list of hundreds helps nobody. */
const STEPS = 40;

export function pictureTitle({ id, version }: Definition): string {
  return `${cleanText(id)} v${version}`;
}

/** The lines under the title. */
export function headingLines(
  definition: Definition,
  annotations: Annotations,
): readonly (AnnotationLine | { readonly role: 'detail'; readonly text: string })[] {
  const { runTimeoutMs } = definition;
  return [
    ...(runTimeoutMs === null
      ? []
      : [{ role: 'detail' as const, text: `ends after ${formatDuration(runTimeoutMs)} at the latest` }]),
    ...annotationLines(annotations['']),
  ];
}

export function summaryOf(definition: Definition, annotations: Annotations): string {
  const { root } = definition;
  const all = [...nodesOf(definition)].length;
  const keys = drawingOrder(root);
  const description = descriptionOf(annotations['']);
  return [
    `Workflow ${cleanText(definition.id)}, version ${definition.version}, with ${all} ${all === 1 ? 'node' : 'nodes'}.`,
    ...(description === '' ? [] : [sentence(description)]),
    `It starts at ${cleanText(root.start)}.`,
    ...keys.slice(0, STEPS).flatMap((key) => stepWords(key, root.nodes[key])),
    ...(keys.length > STEPS ? [`And ${keys.length - STEPS} more.`] : []),
  ].join(' ');
}

function stepWords(key: string, node: Node | undefined): readonly string[] {
  if (node === undefined) return [];
  const words = nodeWords(node).map(({ text }) => text);
  const kind = node.kind.replaceAll('_', ' ');
  const what = words[0]?.startsWith(kind) === true ? words : [kind, ...words];
  return [sentence(`${cleanText(key)}: ${[what.join(', '), ...outEdges(node).map(wayWords)].join('; ')}`)];
}

function wayWords({ field, to, label }: OutEdge): string {
  const target = `then ${cleanText(to)}`;
  if (field === 'on_error') return `on ${label} ${target}`;
  return label === '' ? target : `${label}, ${target}`;
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
