import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { WorkspacesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { createCertificateAuthority, freePort, until } from '../testing/index.js';
import { Certificates } from './certificates.js';
import { rpcClient } from './client.js';
import { rpcTable, serveRpc, type Handlers } from './server.js';

const NAME = 'tautan-links.tautan.svc.cluster.local';
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
  jest.restoreAllMocks();
});

const authority = createCertificateAuthority();
const log = createLog('test', 'silent');

function certificatesOf(name: string): Certificates {
  const files = { ca: authority.ca, ...authority.issue(name) };
  const certificates = new Certificates({ files, log, registry: createMetrics('test') });
  cleanups.push(() => certificates.stop());
  return certificates;
}

const certificates = { server: () => certificatesOf(NAME), client: () => certificatesOf('gateway') };
const emptyWorkspace = { id: '', name: '', plan: '', createdAt: '' };
const SLOW_MS = 25_000;

/** Starts a replica at its own address, and counts the calls that it receives. */
async function startReplica(host: string, port: number) {
  const replica = { host, calls: 0, slowCalls: 0, stop: async () => {} };
  const handlers = {
    GetWorkspace: async () => ((replica.calls += 1), emptyWorkspace),
    UpdateWorkspace: async () => ((replica.slowCalls += 1), sleep(SLOW_MS).then(() => emptyWorkspace)),
  };
  const server = await serveRpc({
    port,
    host,
    tables: [rpcTable(rpcServices.workspaces, handlers as unknown as Handlers<WorkspacesDefinition>)],
    log,
    registry: createMetrics('test'),
    tls: { certificates: certificates.server(), acceptedNames: ['gateway'] },
  });
  replica.stop = () => server.stop(1_000);
  cleanups.push(replica.stop);
  return replica;
}

/** Returns whether a replica is no longer called. */
async function isIdle(replica: { calls: number }): Promise<boolean> {
  const { calls } = replica;
  await sleep(500);
  return replica.calls === calls;
}

// Each replica of a headless service has its own address with the same port. On Linux, all of 127.0.0.0/8 is local.
(process.platform === 'linux' ? test : test.skip)(
  'calls reach replicas added to a DNS name, stop reaching removed ones, and never fail',
  async () => {
    const port = await freePort();
    const start = (last: number) => startReplica(`127.0.0.${last}`, port);
    let known = [await start(2), await start(3)];
    const addresses = () => known.map(({ host }) => ({ address: host, family: 4 }));
    jest.spyOn(dns.promises, 'lookup').mockImplementation((async () => addresses()) as never);
    const options = { address: `dns:///${NAME}:${port}`, certificates: certificates.client() };
    const client = rpcClient(rpcServices.workspaces, options);
    cleanups.push(() => client.close());
    const context = { requestId: 'r', timeoutMs: 60_000 };
    let calls = 0;
    let calling = true;
    const traffic = (async () => {
      for (; calling; calls += 1) {
        await client.call('GetWorkspace', {}, context);
        await sleep(2);
      }
    })();
    await until(() => known.every((replica) => replica.calls > 0));

    const added = [await start(4), await start(5)];
    known = [...known, ...added];
    await until(() => added.every((replica) => replica.calls > 0), 50_000);
    for (const replica of known) replica.calls = 0;
    const before = calls;
    await until(() => calls >= before + 400, 30_000);
    for (const { calls: own } of known) expect(own / (calls - before)).toBeGreaterThan(0.15);

    const removed = known[0]!;
    const slow = known.map(() => client.call('UpdateWorkspace', {}, context));
    await until(() => removed.slowCalls > 0);
    known = known.slice(1);
    await until(() => isIdle(removed), 50_000);
    await Promise.all(slow);
    calling = false;
    await traffic;
  },
  180_000,
);
