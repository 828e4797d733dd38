// Runs in the gateway container of the compose file and sends requests through Caddy, as visitors and clients do.
import assert from 'node:assert/strict';
import { get, request } from 'node:http';
import { connect } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

const { KEY, WORKSPACE } = process.env;
const authorization = `Bearer ${KEY}`;
const browser = {
  host: 'localhost',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

const send = (url, { method = 'GET', headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const sent = (method === 'GET' ? get : request)(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body);
  });

/** Whether Caddy presents a certificate for a host name. */
const hasCertificate = (servername) =>
  new Promise((resolve) => {
    const socket = connect({ host: 'front', port: 443, servername, rejectUnauthorized: false }, () =>
      resolve(socket.end() && true),
    );
    socket.on('error', () => resolve(false));
  });

for (const [path, status] of Object.entries({
  '/api/v1/openapi.json': 200,
  '/docs': 200,
  '/q/unknown': 404,
  '/api': 404,
  '/api-first': 404,
  '/docs-of': 404,
  '/': 200,
})) {
  const answer = await send(`http://front${path}`, { headers: { ...browser, accept: 'application/json' } });
  assert.equal(answer.status, status, path);
  const isFromGateway = answer.headers['x-request-id'] !== undefined;
  assert.equal(isFromGateway, /^\/(api|docs|q)(\/|$)/.test(path), `${path} was handled by the wrong service`);
}

const create = (body) =>
  send('http://front/api/v1/links', {
    method: 'POST',
    headers: { host: 'localhost', authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
assert.equal((await create({ url: 'https://example.com/welcome', slug: 'hello' })).status, 201);
const visit = (origin) => send(`${origin}/hello`, { headers: { ...browser, 'cf-ipcountry': 'ID' } });
const first = await visit('http://front');
assert.equal(first.status, 302);
assert.equal(first.headers.location, 'https://example.com/welcome');
// This visit bypasses Caddy, so its country header is used. If Caddy forwarded the header of the first visit, the
// statistics below would contain two clicks from Indonesia (ID).
assert.equal((await visit('http://redirect:8081')).status, 302);
const stats = async () =>
  JSON.parse(
    (await send('http://front/api/v1/links/hello/stats', { headers: { host: 'localhost', authorization } })).text,
  ).data;
let counted = await stats();
for (const until = Date.now() + 30_000; counted.totals.clicks < 2 && Date.now() < until; counted = await stats())
  await pause(250);
assert.equal(counted.totals.clicks, 2);
assert.deepEqual(
  counted.countries.find(({ key }) => key === 'ID'),
  { key: 'ID', clicks: 1 },
);

// Certificates are issued for verified domains only.
const client = await MongoClient.connect(process.env.MONGODB_URI);
await client
  .db('tautan_links')
  .collection('redirects')
  .insertOne({ _id: 'go.customer.example/', via: 'domain', workspaceId: WORKSPACE });
assert.equal(await hasCertificate('go.customer.example'), true, 'a verified domain has no certificate');
assert.equal(await hasCertificate('go.stranger.example'), false, 'an unknown domain has a certificate');
await client.close();
console.log(
  'Caddy routes requests, ignores country headers of visitors, and gets certificates only for verified domains.',
);
