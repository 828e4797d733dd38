import { readFileSync } from 'node:fs';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type TlsOptions,
} from '@nats-io/transport-node';
import { ConfigError, type NatsConfig } from '../config/config.js';
import type { Log } from '../telemetry/log.js';

/** Connection options for NATS. */
export interface ConnectionOptions {
  /** Comma-separated URLs. */
  url: string;
  /** Number of replicas of each stream in a cluster. */
  replicas?: number;
  authenticator?: Authenticator;
  tls?: TlsOptions;
}

/** Returns the connection options for NATS from the settings. Throws a ConfigError if a credentials file is invalid. */
export function connectionOptions(config: NatsConfig, log: Log): ConnectionOptions {
  const authenticator = authenticatorOf(config, log);
  const tls = tlsOf(config);
  return {
    url: config.NATS_URL,
    replicas: config.NATS_REPLICAS,
    ...(authenticator && { authenticator }),
    ...(tls && { tls }),
  };
}

function authenticatorOf(config: NatsConfig, log: Log): Authenticator | undefined {
  const {
    NATS_USER: user,
    NATS_PASSWORD: password,
    NATS_TOKEN: token,
    NATS_CREDS_FILE: creds,
    NATS_NKEY_FILE: nkey,
  } = config;
  if (user !== undefined) return usernamePasswordAuthenticator(user, password);
  if (token !== undefined) return tokenAuthenticator(token);
  if (creds !== undefined) return fromFile('NATS_CREDS_FILE', () => credsAuthenticator(readFileSync(creds)), log);
  if (nkey !== undefined) return fromFile('NATS_NKEY_FILE', () => nkeyAuthenticator(seedIn(nkey)), log);
  return undefined;
}

const seedIn = (path: string): Uint8Array => Buffer.from(readFileSync(path, 'utf8').trim());

/**
 * Returns an authenticator that reads its file again for each connection. As long as the file is unusable, it uses the
 * last usable content: if an authenticator throws, the client library closes the connection and never reconnects.
 * Throws a ConfigError if the file is unusable at startup.
 */
function fromFile(setting: string, read: () => Authenticator, log: Log): Authenticator {
  let last: Authenticator;
  try {
    last = read();
    last('nonce');
  } catch {
    throw new ConfigError([`${setting}: holds no usable credentials`]);
  }
  let isUsable = true;
  return (nonce) => {
    try {
      const current = read();
      const credentials = current(nonce);
      last = current;
      isUsable = true;
      return credentials;
    } catch (err) {
      if (isUsable)
        log.warn({ err, setting }, 'the NATS credentials file is unusable; the previous credentials stay in use');
      isUsable = false;
      return last(nonce);
    }
  };
}

function tlsOf(config: NatsConfig): TlsOptions | undefined {
  const { NATS_URL: url, NATS_TLS_CA: caFile, NATS_TLS_CERT: certFile, NATS_TLS_KEY: keyFile } = config;
  if (!caFile && !certFile && !/\btls:/.test(url)) return undefined;
  return { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
}
