/** What a document says for people: shown in pictures and in the console, outside the normal form and its digest. */
export interface Annotation {
  readonly description?: string;
  readonly labels?: { readonly [label: string]: string | number | boolean };
}

/**
 * Annotations by the place of what they belong to, as a JSON pointer into the `Definition`: `""` is the document,
 * `/root/nodes/pay` a node, `/root/nodes/route/cases/0` a case, `/root/nodes/both/branches/1` a branch.
 */
export type Annotations = { readonly [pointer: string]: Annotation };
