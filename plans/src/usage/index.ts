export * from './check-usage.js';
export * from './counter.js';
export * from './usage-counters.js';
