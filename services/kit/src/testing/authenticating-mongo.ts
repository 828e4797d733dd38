import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { createCertificateAuthority } from './certificate-authority.js';
import { startWireProxy, type WireDocument, type WireProxy } from './wire-proxy.js';

/** A MongoDB server with TLS that authenticates users by their certificates. */
export interface X509Mongo {
  /** Returns a URL with a client certificate for this name, or without a certificate if the name is omitted. */
  uriFor(client?: string): string;
  stop(): Promise<void>;
}

interface Credentials {
  user: string;
  password: string;
}

/** A MongoDB server that authenticates users by their passwords. */
export interface PasswordMongo {
  /** Returns a URL with these credentials, or without any if they are omitted. */
  uriFor(credentials?: Credentials): string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that adds TLS and certificate authentication (MONGODB-X509) to the MongoDB server on port `target`.
 * Clients without a certificate fail the handshake; clients whose certificate has a name other than `user` receive an
 * authentication error.
 */
export async function startX509Mongo(target: number, user: string): Promise<X509Mongo> {
  const authority = createCertificateAuthority();
  const own = authority.issue('mongodb.example.test');
  const nameOf = (client: Socket) => (client as TLSSocket).getPeerCertificate().subject.CN;
  const proxy = await startAuthenticatingProxy(
    target,
    ({ authenticate, mechanism, $db }, client) =>
      authenticate === 1 && mechanism === 'MONGODB-X509' && $db === '$external' && nameOf(client) === user,
    {
      cert: readFileSync(own.cert),
      key: readFileSync(own.key),
      ca: readFileSync(authority.ca),
      requestCert: true,
    },
  );
  const address = `mongodb://127.0.0.1:${proxy.port}/?replicaSet=rs0&tls=true&tlsCAFile=${authority.ca}`;
  return {
    uriFor: (client) => {
      if (client === undefined) return address;
      const { cert, key } = authority.issue(client);
      const bundle = `${cert}.bundle`;
      writeFileSync(bundle, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
      return `${address}&tlsCertificateKeyFile=${bundle}&authMechanism=MONGODB-X509&authSource=%24external`;
    },
    stop: () => proxy.stop(),
  };
}

/** Starts a proxy that adds password authentication (PLAIN, RFC 4616) to the MongoDB server on port `target`. */
export async function startPasswordMongo(target: number, { user, password }: Credentials): Promise<PasswordMongo> {
  const proxy = await startAuthenticatingProxy(target, ({ saslStart, mechanism, payload }) => {
    const given = Buffer.from((payload as { buffer: Uint8Array }).buffer).toString();
    return saslStart === 1 && mechanism === 'PLAIN' && given === `\0${user}\0${password}`;
  });
  const options = 'replicaSet=rs0&authMechanism=PLAIN&authSource=%24external';
  return {
    uriFor: (given) =>
      given
        ? `mongodb://${given.user}:${encodeURIComponent(given.password)}@127.0.0.1:${proxy.port}/?${options}`
        : `mongodb://127.0.0.1:${proxy.port}/?replicaSet=rs0`,
    stop: () => proxy.stop(),
  };
}

/**
 * Starts a proxy that rejects the commands of a client until `accepts` returns true for its command `authenticate` or
 * `saslStart`.
 */
async function startAuthenticatingProxy(
  target: number,
  accepts: (command: WireDocument, client: Socket) => boolean,
  tls?: TlsOptions,
): Promise<WireProxy> {
  const authenticated = new WeakSet<Socket>();
  const isHello = (command: WireDocument): boolean => 'hello' in command || 'ismaster' in command;
  const authenticate = (command: WireDocument, client: Socket): WireDocument => {
    if (!accepts(command, client))
      return { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
    authenticated.add(client);
    return { ok: 1, conversationId: 1, done: true, payload: Buffer.alloc(0) };
  };
  const proxy = await startWireProxy({
    target,
    ...(tls && { tls }),
    answer: (command, client) => {
      if ('authenticate' in command || 'saslStart' in command) return authenticate(command, client);
      if (isHello(command) || authenticated.has(client)) return undefined;
      const errmsg = `Command ${Object.keys(command)[0]} requires authentication`;
      return { ok: 0, code: 13, codeName: 'Unauthorized', errmsg };
    },
    // Clients connect to the hosts in the response to `hello`: with the server's address, they would bypass the proxy.
    change: (response, command) => {
      const address = `127.0.0.1:${proxy.port}`;
      return isHello(command) ? { ...response, hosts: [address], me: address, primary: address } : response;
    },
  });
  return proxy;
}
