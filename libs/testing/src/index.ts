export * from './cluster/index.js';
export * from './provider/index.js';
export * from './services/index.js';
