/** What a document says for people, as lines: its description, then its labels. */
import type { Annotation } from '@graphrun/dsl';
import { cleanText } from '../text/clean.js';

export interface AnnotationLine {
  readonly role: 'description' | 'labels';
  readonly text: string;
}

export function annotationLines(annotation: Annotation | undefined): readonly AnnotationLine[] {
  const lines: readonly AnnotationLine[] = [
    { role: 'description', text: descriptionOf(annotation) },
    { role: 'labels', text: labelsOf(annotation) },
  ];
  return lines.filter(({ text }) => text !== '');
}

export function descriptionOf(annotation: Annotation | undefined): string {
  return cleanText(annotation?.description ?? '').trim();
}

/** In the order of their names, which no way of storing them changes. */
function labelsOf(annotation: Annotation | undefined): string {
  return Object.entries(annotation?.labels ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${cleanText(name)}: ${cleanText(String(value))}`)
    .join(', ');
}
