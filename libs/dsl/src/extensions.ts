/**
 * What this language has beyond the original `graphrun/v1` (spec 01 "Beyond the original"). A document that uses none
 * of these means the same to every implementation of the language; `validate` lists those it uses.
 */
export const EXTENSIONS = ['on_error', 'default', 'regions', 'inferred_schemas', 'description', 'labels'] as const;

export type Extension = (typeof EXTENSIONS)[number];
