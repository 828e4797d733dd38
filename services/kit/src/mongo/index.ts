export * from './connection.js';
export * from './outbox.js';
