export { configSchema, readBillingConfig, type Config } from './config.js';
export { start } from './main.js';
