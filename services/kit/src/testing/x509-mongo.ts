import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createCertificateAuthority } from './certificate-authority.js';
import { startWireProxy, type WireDocument } from './wire-proxy.js';

/** A MongoDB server with TLS that knows users by their certificates. */
export interface X509Mongo {
  /** Returns the address with the certificate of a client of this name; without a name, with no certificate. */
  uriFor(client?: string): string;
  stop(): Promise<void>;
}

/**
 * Puts TLS and authentication by certificates (MONGODB-X509) in front of a MongoDB server that has neither. Clients without a
 * certificate do not get past the handshake; those whose name is not `user` are refused as a server does.
 */
export async function startX509Mongo(target: number, user: string): Promise<X509Mongo> {
  const authority = createCertificateAuthority();
  const own = authority.issue('mongodb.example.test');
  const authenticated = new WeakSet<Socket>();

  const authenticate = ({ mechanism, $db }: WireDocument, client: Socket): WireDocument => {
    const name = (client as TLSSocket).getPeerCertificate().subject.CN;
    if (mechanism !== 'MONGODB-X509' || $db !== '$external' || name !== user)
      return { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
    authenticated.add(client);
    return { ok: 1, dbname: '$external', user: `CN=${name}` };
  };
  const isHello = (command: WireDocument): boolean => 'hello' in command || 'ismaster' in command;

  const proxy = await startWireProxy({
    target,
    tls: {
      cert: readFileSync(own.cert),
      key: readFileSync(own.key),
      ca: readFileSync(authority.ca),
      requestCert: true,
    },
    answer: (command, client) => {
      if ('authenticate' in command) return authenticate(command, client);
      if (isHello(command) || authenticated.has(client)) return undefined;
      return {
        ok: 0,
        code: 13,
        codeName: 'Unauthorized',
        errmsg: `Command ${Object.keys(command)[0]} requires authentication`,
      };
    },
    // Else clients would connect to the server itself.
    change: (response, command) => {
      const address = `127.0.0.1:${proxy.port}`;
      return isHello(command) ? { ...response, hosts: [address], me: address, primary: address } : response;
    },
  });
  const address = `mongodb://127.0.0.1:${proxy.port}/?replicaSet=rs0&tls=true&tlsCAFile=${authority.ca}`;
  return {
    uriFor: (client) => {
      if (client === undefined) return address;
      const { cert, key } = authority.issue(client);
      const both = `${cert}.both`;
      writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
      return `${address}&tlsCertificateKeyFile=${both}&authMechanism=MONGODB-X509&authSource=%24external`;
    },
    stop: () => proxy.stop(),
  };
}
