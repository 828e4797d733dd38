export { start } from './main.js';
export { gatewaySettings, readGatewayConfig, type GatewayConfig } from './config.js';
