import { constants, createServer as createHttp2Server } from 'node:http2';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { ServerCredentials, status as Status, type Server } from '@grpc/grpc-js';
import { LRUCache } from 'lru-cache';
import type { Log } from '../telemetry/log.js';
import { Counter, type Registry } from '../telemetry/metrics.js';
import type { Certificates } from './certificates.js';

/** Mutual TLS options of a server. */
export interface ServerTls {
  certificates: Certificates;
  /** Accepted names in callers' certificates (DNS names of the SAN extension, RFC 5280, 4.2.1.6). */
  acceptedNames: readonly string[];
}

export interface ListenerOptions {
  port: number;
  host: string;
  log: Log;
  registry: Registry;
  /** Without it, connections are plaintext. */
  tls?: ServerTls | undefined;
}

export interface Listener {
  port: number;
  /** Stops accepting connections. */
  close(): void;
  /** Destroys the remaining connections. */
  destroy(): void;
}

/** Timeout of a TLS handshake, milliseconds. */
const HANDSHAKE_MS = 10_000;

/** Listens and passes accepted connections to a gRPC server. Rejects if the port is unavailable. */
export async function listenRpc(server: Server, options: ListenerOptions): Promise<Listener> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const accept = (socket: Socket): void => injector.injectConnection(socket);
  const { tls } = options;
  const listener = tls ? tlsListener(accept, tls, options) : createServer(accept);
  const open = new Set<Socket>();
  listener.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const port = await bind(listener, options);
  return {
    port,
    close: () => void listener.close(),
    destroy: () => open.forEach((socket) => socket.destroy()),
  };
}

function bind(listener: NetServer, { port, host }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', ({ message }) =>
      reject(new Error(`Port ${port} on ${host} cannot be used for gRPC: ${message}`)),
    );
    listener.listen(port, host, () => resolve((listener.address() as AddressInfo).port));
  });
}

/** Accepts peers with a certificate that a trusted authority issued for one of the accepted names. */
function tlsListener(
  accept: (socket: Socket) => void,
  { certificates, acceptedNames }: ServerTls,
  { log, registry }: ListenerOptions,
): NetServer {
  const accepted = new Counter({
    name: 'tautan_rpc_connections_accepted_total',
    help: 'Connections from callers, by the name in their certificate',
    labelNames: ['peer'],
    registers: [registry],
  });
  const reportRefusal = refusalReporter(log, registry);
  const forbidden = forbiddingServer();
  const listener = createTlsServer({
    ...certificates.current,
    ALPNProtocols: ['h2'],
    handshakeTimeout: HANDSHAKE_MS,
    requestCert: true,
    // Verified below, where the reason can be logged.
    rejectUnauthorized: false,
  });
  listener.on('secureConnection', (socket) => {
    if (!socket.authorized) {
      reportRefusal('certificate', socket, String(socket.authorizationError));
      socket.destroy();
      return;
    }
    const certificate = socket.getPeerX509Certificate()!;
    const name = acceptedNames.find((each) => certificate.checkHost(each, { subject: 'never', wildcards: false }));
    if (name === undefined) {
      const given = certificate.subjectAltName ?? 'none';
      reportRefusal('name', socket, `names of the certificate: ${given}; accepted names: ${acceptedNames.join(', ')}`);
      forbidden.emit('connection', socket);
      return;
    }
    accepted.inc({ peer: name });
    accept(socket);
  });
  listener.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    // Connections that end before the handshake are port probes.
    if (error.code !== 'ECONNRESET') reportRefusal('handshake', socket, error.code ?? error.message);
  });
  const unsubscribe = certificates.onChange(() => listener.setSecureContext(certificates.current));
  listener.once('close', unsubscribe);
  return listener;
}

type ReportRefusal = (kind: 'handshake' | 'certificate' | 'name', socket: TLSSocket, reason: string) => void;

/** Interval between log lines for the same peer and reason, milliseconds. */
const QUIET_MS = 10 * 60_000;

/** Returns a function that counts refused connections, and logs them at a limited rate per peer and reason. */
function refusalReporter(log: Log, registry: Registry): ReportRefusal {
  const refused = new Counter({
    name: 'tautan_rpc_connections_refused_total',
    help: 'Refused connections: TLS handshake failed, certificate missing or not trusted, name not accepted',
    labelNames: ['reason'],
    registers: [registry],
  });
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: QUIET_MS });
  return (kind, { remoteAddress }, reason) => {
    refused.inc({ reason: kind });
    const key = `${remoteAddress} ${reason}`;
    if (logged.has(key)) return;
    logged.set(key, true);
    log.warn({ peer: remoteAddress, kind, reason }, 'gRPC connection refused');
  };
}

/** Responds to every call with PERMISSION_DENIED, so that a caller with a wrong name sees the reason, not an outage. */
function forbiddingServer() {
  const server = createHttp2Server();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    const trailers = {
      [constants.HTTP2_HEADER_STATUS]: 200,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc+proto',
      'grpc-status': String(Status.PERMISSION_DENIED),
      'grpc-message': 'The name in the client certificate is not accepted.',
    };
    stream.respond(trailers, { endStream: true });
    stream.resume();
  });
  return server;
}
