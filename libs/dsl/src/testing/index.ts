/**
 * What tests of other packages build their definitions with: fixed ones, and generated ones with everything that is needed
 * to execute them. For tests only: production code never imports this.
 */
export {
  artifactOf,
  BUMP,
  CATALOG,
  catalogOf,
  documentOf,
  ORDER_CATALOG,
  type DocumentParts,
} from './order-catalog.js';
export * from './generated/index.js';
