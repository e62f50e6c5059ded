export * from './cluster/index.js';
export * from './services/index.js';
