/** `description` and `labels`: for people and pictures, never part of the normal form (spec 01 "Beyond the original"). */
import type { Annotation } from './annotations.js';
import type { CompileContext } from './context.js';
import { shorten, type Fields } from './fields.js';
import { describeTree } from './source/tree.js';

/** Reads the annotation of what stands at `pointer` of the definition, and keeps it in the context. */
export function readAnnotation(fields: Fields, pointer: string, context: CompileContext): void {
  const description = fields.string('description')?.text;
  const labels = readLabels(fields);
  if (fields.has('description')) context.extensions.add('description');
  if (fields.has('labels')) context.extensions.add('labels');
  if (description === undefined && labels === undefined) return;
  const annotation: Annotation = {
    ...(description === undefined ? {} : { description }),
    ...(labels === undefined ? {} : { labels }),
  };
  context.annotations.set(pointer, annotation);
}

function readLabels(fields: Fields): Annotation['labels'] {
  const found = fields.map('labels');
  if (found === undefined) return undefined;
  const labels: [string, string | number | boolean][] = [];
  for (const { key, value } of found.map.members.values()) {
    if (value.kind === 'scalar' && value.value !== null && typeof value.value !== 'object') {
      labels.push([key, value.value]);
    } else if (value.kind !== 'broken') {
      const message = `the label "${shorten(key)}" is a string, number or boolean; this is ${describeTree(value)}`;
      fields.reporter.error('GR1103', value.span, message);
    }
  }
  return Object.fromEntries(labels);
}
