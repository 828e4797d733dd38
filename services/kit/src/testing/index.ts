/** What tests of every package share; no part of what runs in production. */
export { startServers, type TestServers } from './servers.js';
export { eventually } from './eventually.js';
export { freePort } from './free-port.js';
export { until } from './until.js';
