import { openSync, readFileSync, rmSync, truncateSync, mkdtempSync, writeFileSync } from 'node:fs';
import dns from 'node:dns';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { Client, credentials, status as Status, type ChannelCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import type { WorkspacesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { authority as longLived } from '../testing/certificates.js';
import { createCertificateAuthority, mountSecret, until, type CertificateFiles } from '../testing/index.js';
import { Certificates, openCertificates, type CertificatesOptions, type TlsFiles } from './certificates.js';
import { rpcClient } from './client.js';
import { rpcTable, serveRpc, type Handlers } from './server.js';

const HOST = '127.0.0.1';
/** Timeout that allows for a busy machine. */
const SLOW_MS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'tautan-rpc-tls-'));
const logFile = join(folder, 'log');
const log = createLog('test', 'info', openSync(logFile, 'a'));
const logged = (text: string) =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(text));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
  truncateSync(logFile);
  jest.useRealTimers();
  jest.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

const authority = createCertificateAuthority();
const otherAuthority = createCertificateAuthority();
const [links, gateway, qr] = [authority.issue('links'), authority.issue('gateway'), authority.issue('qr')];
const filesOf = (files: CertificateFiles, { ca } = authority): TlsFiles => ({ ca, ...files });

function certificatesOf(files: TlsFiles, options: Partial<CertificatesOptions> = {}): Certificates {
  const certificates = new Certificates({ files, log, registry: createMetrics('test'), ...options });
  cleanups.push(() => certificates.stop());
  return certificates;
}

const emptyWorkspace = { id: '', name: '', plan: '', createdAt: '' };

/** Starts a server with the certificate of the link service. By default, it accepts only billing and the gateway. */
async function serve(certificates = certificatesOf(filesOf(links)), acceptedNames = ['billing', 'gateway']) {
  const registry = createMetrics('test');
  const handlers = { GetWorkspace: async () => emptyWorkspace, CreateWorkspace: async () => emptyWorkspace };
  const server = await serveRpc({
    port: 0,
    host: HOST,
    tables: [rpcTable(rpcServices.workspaces, handlers as unknown as Handlers<WorkspacesDefinition>)],
    log,
    registry,
    tls: { certificates, acceptedNames },
  });
  cleanups.push(() => server.stop(0));
  const counter = async (name: string): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
  return { ...server, counter };
}

/** Returns a function that calls the server once. */
function clientOf(port: number, certificates: Certificates | undefined, host = 'localhost') {
  const client = rpcClient(rpcServices.workspaces, { address: `${host}:${port}`, certificates });
  cleanups.push(() => client.close());
  return () => client.call('GetWorkspace', {}, { requestId: 'r', timeoutMs: 10_000 });
}

/** Returns the status of a health check, which requires no principal. */
function checkHealth(port: number, by: ChannelCredentials): Promise<number> {
  const client = new Client(`localhost:${port}`, by);
  const pass = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      '/grpc.health.v1.Health/Check',
      pass,
      pass,
      Buffer.alloc(0),
      { deadline: Date.now() + 5_000 },
      (error) => {
        client.close();
        resolve(error?.code ?? Status.OK);
      },
    );
  });
}

const keyAndCert = ({ cert, key }: CertificateFiles) => [readFileSync(key), readFileSync(cert)] as const;
const ca = readFileSync(authority.ca);

describe('a server', () => {
  test('accepts a caller whose certificate has an accepted name, on one connection for all its calls', async () => {
    const { port, counter } = await serve();
    const call = clientOf(port, certificatesOf(filesOf(gateway)));
    for (let i = 0; i < 20; i += 1) await call();
    expect(await counter('tautan_rpc_connections_accepted_total')).toEqual([
      'tautan_rpc_connections_accepted_total{peer="gateway",service="test"} 1',
    ]);
    expect(await checkHealth(port, credentials.createSsl(ca, ...keyAndCert(gateway)))).toBe(Status.OK);
  });

  test.each([
    ['a caller that uses plaintext', credentials.createInsecure(), Status.UNAVAILABLE, 'handshake'],
    ['a caller without a certificate', credentials.createSsl(ca), Status.UNAVAILABLE, 'certificate'],
    [
      'a caller with a certificate of another authority',
      credentials.createSsl(ca, ...keyAndCert(otherAuthority.issue('gateway'))),
      Status.UNAVAILABLE,
      'certificate',
    ],
    [
      'a caller with a certificate for a name that is not accepted',
      credentials.createSsl(ca, ...keyAndCert(qr)),
      Status.PERMISSION_DENIED,
      'name',
    ],
  ])('rejects %s, counts every rejection, and logs only the first', async (_what, by, status, reason) => {
    const { port, counter } = await serve();
    for (let i = 0; i < 3; i += 1) expect(await checkHealth(port, by)).toBe(status);
    const [count] = await until(async () => {
      const lines = await counter(`tautan_rpc_connections_refused_total{reason="${reason}"`);
      return lines.length > 0 && lines;
    });
    expect(Number(count!.split(' ')[1])).toBeGreaterThanOrEqual(3);
    expect(logged('gRPC connection refused')).toHaveLength(1);
    expect(await counter('tautan_rpc_connections_accepted_total{')).toEqual([]);
  });

  test('does not accept a wildcard that matches an accepted name', async () => {
    const name = 'gateway.tautan.example';
    const { port } = await serve(certificatesOf(filesOf(links)), [name]);
    const wildcard = authority.issue('*.tautan.example');
    expect(await checkHealth(port, credentials.createSsl(ca, ...keyAndCert(wildcard)))).toBe(Status.PERMISSION_DENIED);
    expect(await checkHealth(port, credentials.createSsl(ca, ...keyAndCert(authority.issue(name))))).toBe(Status.OK);
  });

  test('does not count connections that end before the handshake as refused', async () => {
    const { port, counter } = await serve();
    const probe = connectTcp(port, HOST);
    await once(probe, 'connect');
    probe.end().resume();
    await once(probe, 'close');
    expect(await checkHealth(port, credentials.createSsl(ca))).toBe(Status.UNAVAILABLE);
    const refused = await until(async () => {
      const lines = await counter('tautan_rpc_connections_refused_total{');
      return lines.length > 0 && lines;
    });
    expect(refused).toEqual([expect.stringContaining('reason="certificate"')]);
  });

  test('closes unused connections and its port when it stops', async () => {
    const server = await serve();
    const unused = connectTcp(server.port, HOST);
    const closed = once(unused.resume(), 'close');
    await once(unused, 'connect');
    await server.stop(0);
    await closed;
    const late = once(connectTcp(server.port, HOST), 'error');
    await expect(late).resolves.toEqual([expect.objectContaining({ code: 'ECONNREFUSED' })]);
  });

  test('whose certificate does not contain its host name is not trusted by a client', async () => {
    jest.spyOn(dns.promises, 'lookup').mockImplementation((async () => [{ address: HOST, family: 4 }]) as never);
    const { port } = await serve();
    const certificates = certificatesOf(filesOf(gateway));
    await clientOf(port, certificates, 'links')();
    await expect(clientOf(port, certificates, 'workspaces')()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('certificates', () => {
  const serialOf = (path: string): string => new X509Certificate(readFileSync(path)).serialNumber;

  /** Returns the serial number of the certificate that a server presents on a new connection. */
  async function presented(port: number): Promise<string> {
    const socket: TLSSocket = connect({ port, host: HOST, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerX509Certificate()!;
    socket.destroy();
    return serialNumber;
  }

  test.each([
    ['the client', 20, 500],
    ['the server', 500, 20],
  ])('of a new authority are used without a failed call, if %s reads them first', async (_who, client, server) => {
    const mounted = { server: mountSecret(filesOf(links)), client: mountSecret(filesOf(gateway)) };
    const { port, counter } = await serve(certificatesOf(mounted.server.paths, { pollMs: server }));
    const call = clientOf(port, certificatesOf(mounted.client.paths, { pollMs: client }));
    let calls = 0;
    let calling = true;
    const traffic = (async () => {
      for (; calling; calls += 1) await call();
    })();
    await until(() => calls > 20, SLOW_MS);
    const [renewed, renewedClient] = [otherAuthority.issue('links'), otherAuthority.issue('gateway')];
    mounted.server.replace(filesOf(renewed, otherAuthority));
    mounted.client.replace(filesOf(renewedClient, otherAuthority));
    const expected = serialOf(renewed.cert);
    await until(async () => (await presented(port)) === expected, SLOW_MS);
    // Wait until the client has reconnected with its new certificate.
    await until(
      async () => Number((await counter('tautan_rpc_connections_accepted_total{'))[0]?.split(' ')[1]) > 1,
      SLOW_MS,
    );
    const before = calls;
    await until(() => calls > before + 20, SLOW_MS);
    calling = false;
    await traffic;
    expect(
      await checkHealth(port, credentials.createSsl(readFileSync(otherAuthority.ca), ...keyAndCert(gateway))),
    ).toBe(Status.UNAVAILABLE);
  });

  test('that are invalid are logged once, and the previous ones stay in use until valid ones replace them', async () => {
    const mounted = mountSecret(filesOf(links));
    const { port } = await serve(certificatesOf(mounted.paths, { pollMs: 20 }));
    const call = clientOf(port, certificatesOf(filesOf(gateway)));
    await call();
    const renewed = authority.issue('links');
    mounted.replace(filesOf({ cert: renewed.cert, key: links.key }));
    await until(() => logged('RPC_TLS_KEY: does not belong to RPC_TLS_CERT').length);
    truncateSync(mounted.paths.cert, 700);
    await until(() => logged('RPC_TLS_CERT: is not a PEM file of certificates').length);
    expect(await presented(port)).toBe(serialOf(links.cert));
    await clientOf(port, certificatesOf(filesOf(gateway)))();
    mounted.replace(filesOf(renewed));
    await until(async () => (await presented(port)) === serialOf(renewed.cert));
    await call();
    expect(logged('new certificates cannot be used')).toHaveLength(2);
  });

  test('are replaced only if the files have changed, and not after a stop', async () => {
    const mounted = mountSecret(filesOf(links));
    jest.useFakeTimers();
    const certificates = certificatesOf(mounted.paths);
    let replacements = 0;
    const stopListening = certificates.onChange(() => (replacements += 1));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(replacements).toBe(0);
    mounted.replace(filesOf(gateway));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(replacements).toBe(1);
    stopListening();
    mounted.replace(filesOf(qr));
    await jest.advanceTimersByTimeAsync(60_000);
    const [, current] = keyAndCert(qr);
    expect([replacements, certificates.current.cert]).toEqual([1, current]);
    await certificates.stop();
    mounted.replace(filesOf(links));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(certificates.current.cert).toEqual(current);
  });

  /** Writes a file and returns its path. */
  const written = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const contentOf = (path: string): string => readFileSync(path, 'utf8');

  test('have a metric with the earliest expiry of the chain and the latest expiry of the authorities', async () => {
    const registry = createMetrics('test');
    const files = filesOf(links);
    const chain = written('chain.pem', `${contentOf(links.cert)}${longLived}`);
    const authorities = written('authorities.pem', `An authority:\n${longLived}${contentOf(files.ca)}`);
    certificatesOf({ ...files, cert: chain, ca: authorities }, { registry });
    const expiryOf = (pem: string | Buffer): number => Date.parse(new X509Certificate(pem).validTo) / 1000;
    const lines = (await registry.metrics()).split('\n');
    const metric = 'tautan_rpc_certificate_expiry_timestamp_seconds';
    expect(lines.filter((line) => line.startsWith(metric))).toEqual([
      `${metric}{file="cert",service="test"} ${expiryOf(readFileSync(links.cert))}`,
      `${metric}{file="ca",service="test"} ${expiryOf(longLived)}`,
    ]);
  });

  test('are opened only if all three files are set', () => {
    const { ca: RPC_TLS_CA, cert: RPC_TLS_CERT, key: RPC_TLS_KEY } = filesOf(links);
    const settings = { RPC_TLS_CA, RPC_TLS_CERT, RPC_TLS_KEY };
    const open = (given: object) => {
      const opened = openCertificates(given, { log, registry: createMetrics('test') });
      if (opened) cleanups.push(() => opened.stop());
      return opened?.current.key;
    };
    expect(open(settings)).toEqual(readFileSync(RPC_TLS_KEY));
    for (const missing of Object.keys(settings)) expect(open({ ...settings, [missing]: undefined })).toBeUndefined();
  });

  test.each([
    ['RPC_TLS_KEY: does not belong to RPC_TLS_CERT', { ...filesOf(links), key: gateway.key }],
    ['RPC_TLS_KEY: is not a PEM file of a private key', { ...filesOf(links), key: links.cert }],
    ['RPC_TLS_CA: is not a PEM file of certificates', { ...filesOf(links), ca: links.key }],
    ['RPC_TLS_CA: is not a PEM file of certificates', { ...filesOf(links), ca: '/dev/null' }],
    ['RPC_TLS_CERT: cannot be read (ENOENT)', { ...filesOf(links), cert: join(folder, 'missing') }],
  ])('that cannot be used prevent the start of the process (%#): %s', (problem, files) => {
    expect(() => certificatesOf(files)).toThrow(problem);
  });

  test('that have expired prevent the start of the process', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 86_400_000);
    expect(() => certificatesOf(filesOf(links))).toThrow('RPC_TLS_CERT: expired on ');
  });
});
