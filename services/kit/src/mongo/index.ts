export * from './collections.js';
export * from './connection.js';
export * from './search.js';
export * from './dead-letters.js';
export * from './hold.js';
export * from './outbox.js';
export * from './transaction.js';
export * from './sharding.js';
