#!/usr/bin/env node
// Serves the local identity provider under Keycloak's path /realms/tautan, and stores its data in Keycloak's folder. Of
// Keycloak's command-line options, only --hostname has an effect; the others are ignored.
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createLog } from '/app/services/kit/dist/index.js';
import { fastCost, startIdentity } from '/app/deploy/local/identity/dist/index.js';

const issuer =
  process.argv.find((arg) => arg.startsWith('--hostname='))?.slice('--hostname='.length) ?? 'http://localhost:8080';
/** Returns the base URL of the product, from the first client of the imported realm. */
function importedBaseUrl() {
  const realm = readFileSync('/opt/keycloak/data/import/realm.json', 'utf8');
  const { clients } = JSON.parse(realm.replaceAll(/\$\{(\w+)\}/g, (_, name) => process.env[name]));
  return clients[0].webOrigins[0];
}
const baseUrl = process.env.STAND_IN_BASE_URL ?? importedBaseUrl();
await startIdentity({
  port: 8081,
  host: '127.0.0.1',
  dataDir: '/opt/keycloak/data/h2',
  issuer,
  audience: `${baseUrl}/api/v1`,
  clients: {
    dashboard: { id: 'tautan', redirectUris: [`${baseUrl}/api/v1/auth/callback`], postLogoutUris: [baseUrl] },
    device: { id: 'tautan-cli' },
  },
  passwordCost: fastCost,
  log: createLog('identity'),
});
createServer((incoming, response) => {
  const path = incoming.url
    .replace(/^\/realms\/tautan/, '')
    .replace(/^\/\.well-known\/openid/, '/api/v1/oidc/.well-known/openid');
  const { method, headers } = incoming;
  const onward = request({ port: 8081, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}).listen(8080);
