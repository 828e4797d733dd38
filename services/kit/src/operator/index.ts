export * from './processes.js';
export * from './serve.js';
export * from './tables.js';
