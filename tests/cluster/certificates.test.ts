import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, credentials, status as Status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { methodsOf, statusesOf, until } from '@tautan/kit/testing';
import { callersOf, rpcCallees, type RpcService } from '@tautan/proto/callers';
import { componentOf, release, type Pod, type Secret } from './cluster.js';
import { describeOnCluster } from './on-cluster.js';
import { duringTraffic, expectNoFailure } from './during-traffic.js';

const run = promisify(execFile);
const services = [...new Set(Object.values(rpcCallees).flat())];
const certified = [...new Set([...services, ...Object.keys(rpcCallees)])];
const secretOf = (name: string): string => `${release}-${name}-rpc`;
/** Maximum time until a process uses the new files. */
const USED_WITHIN_MS = 60_000;
/** Maximum time until the kubelet replaces a mounted Secret. */
const MOUNTED_WITHIN_MS = 150_000;
const POLL_MS = 500;
/**
 * Metrics that report when a certificate expires: first the one in the mounted file, then the one that the process
 * uses. With `file="ca"`, the second metric would report the authorities instead.
 */
const expiries = [
  'tautan_certificate_expiry_timestamp_seconds{use="rpc"',
  'tautan_rpc_certificate_expiry_timestamp_seconds{file="cert"',
];

describeOnCluster('mutual TLS between services', (on) => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tautan-certificates-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (name: string, file: string): Promise<Buffer> =>
    Buffer.from((await on.cluster.get<Secret>('secrets', name)).data[file]!, 'base64');

  /** Returns a client of one pod of a service, with the certificate of a workload or without one. */
  async function clientOf(service: RpcService, caller?: string): Promise<Client> {
    const [pod] = await on.cluster.podsOf(service);
    const ca = await read(secretOf(service), 'ca.crt');
    const own =
      caller === undefined
        ? []
        : await Promise.all([read(secretOf(caller), 'tls.key'), read(secretOf(caller), 'tls.crt')]);
    return new Client(`${pod!.status.podIP}:50051`, credentials.createSsl(ca, ...own), {
      'grpc.ssl_target_name_override': `${release}-${service}`,
    });
  }

  describe.each(services)('%s', (service) => {
    const stranger = certified.find((name) => name !== service && !(callersOf(service) as string[]).includes(name))!;
    const statuses = async (caller?: string): Promise<Record<string, Status>> => {
      const client = await clientOf(service, caller);
      const found = await statusesOf(client, methodsOf(service));
      client.close();
      return found;
    };
    const all = (status: Status): Record<string, Status> =>
      Object.fromEntries(methodsOf(service).map(({ path }) => [path, status]));

    test('accepts calls with the certificate of a declared caller', async () => {
      const found = Object.values(await statuses(callersOf(service)[0]));
      expect(found).toContain(Status.OK);
      expect(found).not.toContain(Status.PERMISSION_DENIED);
    });
    test('rejects every call without a client certificate', async () => {
      expect(await statuses()).toEqual(all(Status.UNAVAILABLE));
    });
    test(`rejects every call with the certificate of ${stranger}, which the same authority issued`, async () => {
      expect(await statuses(stranger)).toEqual(all(Status.PERMISSION_DENIED));
    });
  });

  /** Puts a new certificate and key into the Secret of a workload. */
  async function renew(name: string): Promise<void> {
    const path = (file: string): string => join(folder, `${name}.${file}`);
    const authority = (file: string): string => join(folder, `ca.${file}`);
    const old = new X509Certificate(await read(secretOf(name), 'tls.crt'));
    await writeFile(path('ext'), `subjectAltName=${old.subjectAltName!.replaceAll(' ', '')}`);
    await run('openssl', [
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      path('key'),
      '-out',
      path('csr'),
    ]);
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      path('csr'),
      '-CA',
      authority('crt'),
      '-CAkey',
      authority('key'),
      '-days',
      '90',
      '-extfile',
      path('ext'),
      '-out',
      path('crt'),
    ]);
    const base64 = async (file: string): Promise<string> => (await readFile(path(file))).toString('base64');
    const data = { 'tls.crt': await base64('crt'), 'tls.key': await base64('key') };
    await on.cluster.patch('secrets', secretOf(name), { data });
  }

  test('uses renewed certificates without a failed call', async () => {
    for (const [file, key] of [
      ['crt', 'tls.crt'],
      ['key', 'tls.key'],
    ] as const)
      await writeFile(join(folder, `ca.${file}`), await read(`${release}-rpc-ca`, key), { mode: 0o600 });
    const pods = (await on.cluster.allPods()).filter((pod) => certified.includes(componentOf(pod)));
    const old = await Promise.all(pods.map((pod) => Promise.all(expiries.map((metric) => expiry(pod, metric)))));
    const outcome = await duringTraffic(on.stack, 'certificates', async () => {
      const startedAt = Date.now();
      for (const name of certified) await renew(name);
      // A changed pod is synchronized immediately; otherwise the kubelet takes up to two minutes.
      for (const { metadata } of pods)
        await on.cluster.patch('pods', metadata.name, {
          metadata: { annotations: { 'tautan.test/renewed': `${startedAt}` } },
        });
      const times = await Promise.all(pods.map((pod, i) => renewal(pod, old[i]!)));
      const mounted = times.map((each) => each.mounted - startedAt);
      const used = times.map((each) => each.used - each.mounted);
      process.stdout.write(
        `cluster: new certificates were mounted after ${Math.max(...mounted)} ms, and used ${Math.max(...used)} ms later\n`,
      );
      expect(Math.max(...used)).toBeLessThan(USED_WITHIN_MS);
    });
    expectNoFailure(outcome);
  }, 400_000);

  const expiry = async (pod: Pod, metric: string): Promise<string> =>
    (await on.cluster.metrics(pod)).split('\n').find((line) => line.startsWith(metric))!;

  /** Waits until a pod has new files, then until its process uses them. Returns the times of both. */
  async function renewal(pod: Pod, old: string[]): Promise<{ mounted: number; used: number }> {
    const at = async (i: number, withinMs: number): Promise<number> => {
      await until(async () => (await sleep(POLL_MS), (await expiry(pod, expiries[i]!)) !== old[i]), withinMs);
      return Date.now();
    };
    const mounted = await at(0, MOUNTED_WITHIN_MS);
    return { mounted, used: await at(1, USED_WITHIN_MS) };
  }
});
