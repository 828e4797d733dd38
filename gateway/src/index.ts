export { start } from './main.js';
export { readGatewayConfig, type GatewayConfig } from './config.js';
