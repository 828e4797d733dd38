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
export function connectionOptions(config: NatsConfig): ConnectionOptions {
  const authenticator = authenticatorOf(config);
  const tls = tlsOf(config);
  return {
    url: config.NATS_URL,
    replicas: config.NATS_REPLICAS,
    ...(authenticator && { authenticator }),
    ...(tls && { tls }),
  };
}

function authenticatorOf(config: NatsConfig): Authenticator | undefined {
  const {
    NATS_USER: user,
    NATS_PASSWORD: password,
    NATS_TOKEN: token,
    NATS_CREDS_FILE: creds,
    NATS_NKEY_FILE: nkey,
  } = config;
  if (user !== undefined) return usernamePasswordAuthenticator(user, password);
  if (token !== undefined) return tokenAuthenticator(token);
  if (creds !== undefined)
    return usable(
      'NATS_CREDS_FILE',
      credsAuthenticator(() => readFileSync(creds)),
    );
  if (nkey !== undefined)
    return usable(
      'NATS_NKEY_FILE',
      nkeyAuthenticator(() => seedIn(nkey)),
    );
  return undefined;
}

const seedIn = (path: string): Uint8Array => Buffer.from(readFileSync(path, 'utf8').trim());

/** Runs an authenticator once, so that an invalid file stops the process at startup. */
function usable(setting: string, authenticator: Authenticator): Authenticator {
  try {
    authenticator('nonce');
  } catch {
    throw new ConfigError([`${setting}: holds no usable credentials`]);
  }
  return authenticator;
}

function tlsOf(config: NatsConfig): TlsOptions | undefined {
  const { NATS_URL: url, NATS_TLS_CA: caFile, NATS_TLS_CERT: certFile, NATS_TLS_KEY: keyFile } = config;
  if (!caFile && !certFile && !/\btls:/.test(url)) return undefined;
  return { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
}
