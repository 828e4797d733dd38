import { afterEach, expect, test } from '@jest/globals';
import { createLog, type Log } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { freePort } from '../testing/free-port.js';
import { until } from '../testing/until.js';
import { PeerHealth } from './peer-health.js';
import { serveRpc } from './server.js';

const HOST = '127.0.0.1';
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

const silent = createLog('test', 'silent');

/** Starts a server without services; returns its address. */
async function aPeer(ready: () => boolean): Promise<string> {
  const options = { port: 0, host: HOST, tables: [], log: silent, registry: createMetrics('test'), ready };
  const server = await serveRpc(options);
  cleanups.push(() => server.stop(0));
  return `${HOST}:${server.port}`;
}

/** Checks peers. `states` returns which of them are ready, and `warned` contains the peer of each warning. */
function checked(addresses: Record<string, string>) {
  const warned: string[] = [];
  const log = { ...silent, warn: ({ peer }: { peer: string }) => void warned.push(peer) } as unknown as Log;
  const peers = new PeerHealth(addresses, { certificates: undefined, log });
  cleanups.push(() => peers.stop());
  const states = () => Object.fromEntries(Object.entries(peers.checks()).map(([name, check]) => [name, check()]));
  return { warned, states };
}

test('a peer is not ready before its first response, and becomes ready when it reports SERVING', async () => {
  let ready = false;
  const { states, warned } = checked({ links: await aPeer(() => ready), qr: `${HOST}:${await freePort()}` });
  expect(states()).toEqual({ links: false, qr: false });
  await until(() => warned.length >= 2);
  expect(warned.toSorted()).toEqual(['links', 'qr']);
  expect(states()).toEqual({ links: false, qr: false });
  ready = true;
  await until(() => states()['links']);
  expect(states()).toEqual({ links: true, qr: false });
  expect(warned.toSorted()).toEqual(['links', 'links', 'qr']);
});

test('a peer that is ready at its first response causes no warning', async () => {
  const { states, warned } = checked({ links: await aPeer(() => true) });
  await until(() => states()['links']);
  expect(warned).toEqual([]);
});
