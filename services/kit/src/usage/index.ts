export * from './check-usage.js';
export * from './command.js';
export * from './counter.js';
export * from './usage-counters.js';
