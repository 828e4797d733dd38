// Tests routes, headers and certificates of the compose file's Caddyfile. Servers that echo requests replace the
// gateway, the redirect service and Keycloak. The Caddyfile is unchanged except for its addresses, ports and
// certificate authority. Requires caddy on PATH.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { get as getOverTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';

/** Starts a server on a free port and returns the port. */
const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
const echo = (service) =>
  listen((request, response) => response.end(JSON.stringify({ service, headers: request.headers })));
const tlsAskUrls = [];
const [gateway, redirect, keycloak, admin] = await Promise.all([
  echo('gateway'),
  echo('redirect'),
  echo('keycloak'),
  listen((request, response) => {
    tlsAskUrls.push(request.url);
    response.writeHead(request.url === '/internal/tls/ask?domain=go.customer.example' ? 200 : 404).end();
  }),
]);
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
const [http, https] = [await freePort(), await freePort()];

const folder = mkdtempSync(join(tmpdir(), 'tautan-front-'));
const caddyfile = readFileSync(new URL('../deploy/docker/Caddyfile', import.meta.url), 'utf8')
  .replace('gateway:3000', `127.0.0.1:${gateway}`)
  .replace('redirect:8081', `127.0.0.1:${redirect}`)
  .replace('keycloak:8080', `127.0.0.1:${keycloak}`)
  .replace('redirect:9090', `127.0.0.1:${admin}`)
  // Caddy's internal authority issues the certificates.
  .replace(
    'on_demand_tls {',
    `admin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tlocal_certs\n\tskip_install_trust\n\ton_demand_tls {`,
  );
writeFileSync(join(folder, 'Caddyfile'), caddyfile);
const addresses = { SITE_ADDRESS: `:${http}`, KEYCLOAK_ADDRESS: 'sso.example.com' };
const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...addresses };
const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
  env,
  stdio: 'ignore',
});

const forgedHeaders = {
  host: 'localhost',
  'cf-ipcountry': 'ID',
  'cloudfront-viewer-country': 'ID',
  'x-forwarded-for': '203.0.113.9',
};
const getEcho = (path, send = get, options = { port: http }) =>
  new Promise((resolve, reject) => {
    send({ host: '127.0.0.1', path, ...options, headers: { ...forgedHeaders, ...options.headers } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
const certificateOf = (servername) =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: https, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.end();
    });
    socket.on('error', () => resolve(undefined));
  });

try {
  for (const until = Date.now() + 30_000; ; await pause(100)) {
    if (await getEcho('/').catch(() => false)) break;
    if (Date.now() > until || caddy.exitCode !== null) throw new Error('Caddy did not start.');
  }
  for (const path of [
    '/api',
    '/api/v1/links',
    '/docs',
    '/docs/x',
    '/q/x',
    '/app',
    '/app/x',
    '/',
    '/hello',
    '/apix',
    '/docs2',
    '/qr',
  ]) {
    const { service, headers } = await getEcho(path);
    assert.equal(service, /^\/(api|docs|q|app)(\/|$)/.test(path) ? 'gateway' : 'redirect', path);
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['cf-ipcountry'] ?? headers['cloudfront-viewer-country'], undefined);
  }
  const servername = 'sso.example.com';
  // Caddy obtains the certificates of its own hosts in the background.
  for (const until = Date.now() + 30_000; !(await certificateOf(servername)) && Date.now() < until;) await pause(100);
  const overTls = { port: https, servername, rejectUnauthorized: false, headers: { host: servername } };
  const { service, headers } = await getEcho('/app', getOverTls, overTls);
  assert.equal(service, 'keycloak');
  assert.equal(headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(headers['x-forwarded-proto'], 'https');
  assert.equal(headers['x-forwarded-host'], servername);
  assert.equal(await certificateOf(servername), `DNS:${servername}`);
  assert.equal(await certificateOf('go.customer.example'), 'DNS:go.customer.example');
  assert.equal(await certificateOf('go.stranger.example'), undefined);
  assert.ok(tlsAskUrls.includes('/internal/tls/ask?domain=go.stranger.example'));
  console.log(
    'Caddy routes requests, removes forged headers, and obtains certificates for its hosts and verified domains only.',
  );
} finally {
  const exited = new Promise((resolve) => caddy.once('exit', resolve));
  caddy.kill();
  await exited;
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
