import { openSync, readFileSync, rmSync, symlinkSync, truncateSync, mkdtempSync, writeFileSync } from 'node:fs';
import dns from 'node:dns';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { connect as connectHttp2, constants } from 'node:http2';
import { Client, credentials, status as Status, type ChannelCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import type { WorkspacesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { ConfigError } from '../config/config.js';
import { authority as longLived, expired, weak } from '../testing/certificates.js';
import { createCertificateAuthority, mountSecret, until, type CertificateFiles } from '../testing/index.js';
import { Certificates, openCertificates, type CertificatesOptions, type TlsFiles } from './certificates.js';
import { rpcClient } from './client.js';
import { rpcTable, serveRpc, type Handlers } from './server.js';

const HOST = '127.0.0.1';
const onLinux = process.platform === 'linux' ? test : test.skip;
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
    ['a caller that uses plaintext', credentials.createInsecure(), Status.UNAVAILABLE, 'handshake', /^ERR_SSL_/],
    ['a caller without a certificate', credentials.createSsl(ca), Status.UNAVAILABLE, 'certificate', /ISSUER_CERT/],
    [
      'a caller with a certificate of another authority',
      credentials.createSsl(ca, ...keyAndCert(otherAuthority.issue('gateway'))),
      Status.UNAVAILABLE,
      'certificate',
      /SIGNATURE/,
    ],
    [
      'a caller with a certificate for a name that is not accepted',
      credentials.createSsl(ca, ...keyAndCert(qr)),
      Status.PERMISSION_DENIED,
      'name',
      /^names of the certificate: DNS:qr, .*; accepted names: billing, gateway$/,
    ],
    [
      'a caller whose certificate has an accepted name only in its subject',
      credentials.createSsl(ca, ...keyAndCert(authority.issueWithoutSan('gateway'))),
      Status.PERMISSION_DENIED,
      'name',
      /^names of the certificate: none; accepted names: billing, gateway$/,
    ],
  ])('rejects %s, counts every rejection, and logs only the first', async (_what, by, status, kind, reason) => {
    const { port, counter } = await serve();
    for (let i = 0; i < 3; i += 1) expect(await checkHealth(port, by)).toBe(status);
    const [count] = await until(async () => {
      const lines = await counter(`tautan_rpc_connections_refused_total{reason="${kind}"`);
      return lines.length > 0 && lines;
    });
    expect(Number(count!.split(' ')[1])).toBeGreaterThanOrEqual(3);
    const lines = logged('gRPC connection refused').map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([expect.objectContaining({ peer: HOST, kind, reason: expect.stringMatching(reason) })]);
    expect(await counter('tautan_rpc_connections_accepted_total{')).toEqual([]);
  });

  test('logs each reason for which it rejects the same address', async () => {
    const { port } = await serve();
    const [unknown, misnamed] = [credentials.createSsl(ca), credentials.createSsl(ca, ...keyAndCert(qr))];
    for (const by of [unknown, misnamed, unknown]) await checkHealth(port, by);
    const kinds = logged('gRPC connection refused').map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(['certificate', 'name']);
  });

  onLinux('logs each address that it rejects for the same reason', async () => {
    const { port } = await serve();
    const addresses = [HOST, '127.0.0.2'];
    for (const localAddress of [...addresses, ...addresses]) {
      const socket = connectTcp({ port, host: HOST, localAddress });
      socket.resume().end('GET / HTTP/1.1\r\n\r\n');
      await once(socket, 'close');
    }
    const peers = logged('gRPC connection refused').map((line) => (JSON.parse(line) as { peer: string }).peer);
    expect(peers).toEqual(addresses);
  });

  test('logs a rejection again after ten minutes', async () => {
    const { port } = await serve();
    const now = performance.now.bind(performance);
    let passedMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const counts: number[] = [];
    for (const minutes of [0, 9, 2]) {
      passedMs += minutes * 60_000;
      await checkHealth(port, credentials.createSsl(ca, ...keyAndCert(qr)));
      counts.push(logged('gRPC connection refused').length);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  test('responds to a caller whose name is not accepted, even after it has reset a stream', async () => {
    const { port } = await serve();
    const [key, cert] = keyAndCert(qr);
    const session = connectHttp2(`https://localhost:${port}`, { ca, key, cert });
    cleanups.push(() => session.destroy());
    await once(session, 'connect');
    const request = () => session.request({ ':method': 'POST', ':path': '/tautan.links.v1.Links/GetLink' });
    const reset = request();
    reset.write(Buffer.alloc(200_000));
    reset.close(constants.NGHTTP2_INTERNAL_ERROR);
    await once(reset, 'error');
    const [headers] = (await once(request().resume(), 'response')) as [object];
    expect(headers).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'grpc-status': String(Status.PERMISSION_DENIED),
      'grpc-message': 'The name in the client certificate is not accepted.',
    });
  });

  test('listens only on its host', async () => {
    const { port } = await serve();
    await expect(once(connectTcp(port, '::1'), 'connect')).rejects.toThrow();
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

  /** Writes a file and returns its path. */
  const written = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const contentOf = (path: string): string => readFileSync(path, 'utf8');

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
    const certificates = certificatesOf(mounted.paths, { pollMs: 20 });
    const { port } = await serve(certificates);
    const call = clientOf(port, certificatesOf(filesOf(gateway)));
    await call();
    const renewed = authority.issue('links');
    mounted.replace(filesOf({ cert: renewed.cert, key: links.key }));
    await until(() => logged('RPC_TLS_KEY: does not belong to RPC_TLS_CERT').length);
    truncateSync(mounted.paths.cert, 700);
    await until(() => logged('RPC_TLS_CERT: is not a PEM file of certificates').length);
    expect(await presented(port)).toBe(serialOf(links.cert));
    expect(certificates.current.cert).toEqual(readFileSync(links.cert));
    await clientOf(port, certificatesOf(filesOf(gateway)))();
    mounted.replace(filesOf(renewed));
    await until(async () => (await presented(port)) === serialOf(renewed.cert));
    await call();
    expect(logged('new certificates cannot be used')).toHaveLength(2);
    expect(logged('certificates were replaced')).toHaveLength(1);
    truncateSync(mounted.paths.cert, 700);
    await until(() => logged('new certificates cannot be used').length === 3);
  });

  onLinux('are not used while their files are being written', async () => {
    const mounted = mountSecret(filesOf(links));
    jest.useFakeTimers();
    const certificates = certificatesOf(mounted.paths);
    rmSync(mounted.paths.ca);
    // Returns different contents on each read.
    symlinkSync('/proc/sys/kernel/random/uuid', mounted.paths.ca);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([certificates.current.ca, logged('certificates')]).toEqual([ca, []]);
  });

  test.each(['ca', 'cert', 'key'] as const)('are replaced if only the file of the %s has changed', async (name) => {
    const files = filesOf(links);
    const mounted = mountSecret(files);
    jest.useFakeTimers();
    const certificates = certificatesOf(mounted.paths);
    mounted.replace({ ...files, [name]: written('changed.pem', `Renewed:\n${contentOf(files[name])}`) });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(certificates.current[name].toString()).toContain('Renewed:');
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
    [
      'RPC_TLS_CERT: expired on ',
      { ...filesOf(links), cert: written('expired.pem', contentOf(links.cert) + expired.cert) },
    ],
    [
      'RPC_TLS_CERT: cannot be used for TLS (ee key too small)',
      { ...filesOf(links), cert: written('weak.pem', weak.cert), key: written('weak.key', weak.key) },
    ],
  ])('that cannot be used prevent the start of the process (%#): %s', (problem, files) => {
    const open = () => certificatesOf(files);
    expect(open).toThrow(problem);
    expect(open).toThrow(ConfigError);
  });

  test('can be used until they expire, and prevent the start of the process afterwards', () => {
    const expiry = Date.parse(new X509Certificate(readFileSync(links.cert)).validTo);
    const now = jest.spyOn(Date, 'now').mockReturnValue(expiry);
    expect(() => certificatesOf(filesOf(links))).not.toThrow();
    now.mockReturnValue(expiry + 1);
    expect(() => certificatesOf(filesOf(links))).toThrow('RPC_TLS_CERT: expired on ');
  });

  test('can be used if one of the authorities has expired', () => {
    const authorities = written('expired-authority.pem', contentOf(authority.ca) + expired.cert);
    expect(() => certificatesOf({ ...filesOf(links), ca: authorities })).not.toThrow();
  });
});
