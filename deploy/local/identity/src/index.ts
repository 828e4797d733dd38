export { startIdentity, type IdentityOptions, type RunningIdentity } from './start.js';
export { fastCost } from './people/passwords.js';
export type { Clients } from './oidc/clients.js';
