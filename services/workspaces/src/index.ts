export { configSchema, readWorkspacesConfig, type Config } from './config.js';
export { start } from './main.js';
