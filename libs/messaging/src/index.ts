export * from './decode.js';
export * from './embedded/embedded.js';
export { connectJetStream, JetStreamMessaging } from './jetstream/connect.js';
export type { JetStreamOptions } from './jetstream/connection.js';
export * from './limits.js';
export * from './message-identity.js';
export type { ConnectionStatus, Messaging, OnMessagingError } from './messaging.js';
export * from './peers.js';
export * from './ports.js';
