export type * from './contract.js';
export type { ClusterIdentity, Database } from './database.js';
export { prepareEmbeddedTemplate } from './embedded/template.js';
export { STORE_FORMAT } from './migrate.js';
export { openEmbedded } from './open-embedded.js';
export { openPostgres, type PostgresOptions } from './open-postgres.js';
