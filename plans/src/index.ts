export * from './plan-limit.js';
export * from './settings.js';
export * from './usage/check-usage.js';
export * from './usage/counter.js';
export * from './usage/usage-counters.js';
export * from './usage/usage-table.js';
