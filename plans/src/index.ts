export * from './plan-limit.js';
export * from './settings.js';
