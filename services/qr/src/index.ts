export { configSchema, readQrConfig, type Config } from './config.js';
export { start } from './main.js';
