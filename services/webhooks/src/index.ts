export { configSchema, readWebhooksConfig, type Config } from './config.js';
export { start } from './main.js';
