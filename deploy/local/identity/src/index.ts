export { startIdentity, type IdentityOptions, type RunningIdentity } from './start.js';
export type { Clients } from './oidc/clients.js';
