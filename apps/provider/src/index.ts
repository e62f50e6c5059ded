export { Journal } from './journal.js';
export { Provider } from './provider.js';
export { createServer } from './server.js';
