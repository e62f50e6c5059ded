/** TypeScript from a catalog: what `graphrun codegen` writes. Pure; the command does the reading and writing. */
export { catalogDigest } from './catalog-digest.js';
export { generateModule } from './module.js';
export type { GeneratedModule } from './module.js';
