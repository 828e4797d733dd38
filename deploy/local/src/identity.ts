import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningIdentity } from '@tautan/local-identity';
import { StoredSettings } from './stored-settings.js';
import type { LocalProviderOptions } from './local-provider.js';
import { choosePermanentPort, listenErrorOf } from './ports.js';
import type { Settings } from './settings.js';

/** The identity provider of the stack. */
export interface IdentityFacts {
  /** URL of the provider (IDENTITY_URL). That of the local provider is also the issuer of its tokens. */
  url: string;
  clientId: string;
  deviceClientId: string;
  /** Audience of access tokens. Absent: the URL of the API. */
  audience?: string | undefined;
  /** Port of the local provider. Absent if IDENTITY_URL is set. */
  port?: number;
}

/**
 * Settings in the folder `identity`: the port of the local provider, and the key that encrypts the services' secrets.
 */
interface StoredIdentity {
  port?: number;
  encryptionKey?: string;
}

const KEY_BYTES = 32;
const CLIENT = 'tautan';
const DEVICE_CLIENT = 'tautan-cli';

/**
 * Returns the configured identity provider, or chooses the port of a local one and returns its URL, port and client
 * ids. The issuer URL is part of every user's identity, so the port is chosen once per data folder. Throws if the port
 * cannot be used.
 */
export async function chooseIdentity(settings: Settings): Promise<IdentityFacts> {
  if (settings.IDENTITY_URL !== undefined) {
    const { IDENTITY_URL: url, IDENTITY_CLIENT_ID: clientId, IDENTITY_DEVICE_CLIENT_ID: deviceClientId } = settings;
    return { url, clientId, deviceClientId, audience: settings.IDENTITY_AUDIENCE };
  }
  const port = await portOf(settings);
  return { url: `http://localhost:${port}`, clientId: CLIENT, deviceClientId: DEVICE_CLIENT, port };
}

async function portOf({ DATA_DIR, BIND_HOST, IDENTITY_PORT }: Settings): Promise<number> {
  const stored = storedSettings(DATA_DIR);
  const storedPort = stored.read().port;
  const port = IDENTITY_PORT ?? storedPort ?? (await choosePermanentPort(BIND_HOST));
  const error = await listenErrorOf(port, BIND_HOST);
  if (error !== undefined) {
    const [reason, remedy] =
      error === 'EADDRINUSE'
        ? ['is already in use', 'Free it, or set IDENTITY_PORT to another port']
        : [`cannot be used (${error})`, 'Set IDENTITY_PORT or BIND_HOST to another value'];
    throw new Error(`Port ${port} on ${BIND_HOST}, the sign-in port of this data folder, ${reason}. ${remedy}.`);
  }
  if (port !== storedPort) stored.add({ port });
  return port;
}

/** Starts the local provider. Loads its library only now, while the other processes start. */
export async function startLocalIdentity(
  { port, url, clientId, deviceClientId }: IdentityFacts & { port: number },
  { settings, baseUrl, ...more }: LocalProviderOptions & { onReset: (email: string, link: string) => void },
): Promise<RunningIdentity> {
  const { startIdentity, fastCost } = await import('@tautan/local-identity');
  return startIdentity({
    port,
    host: settings.BIND_HOST,
    dataDir: storedSettings(settings.DATA_DIR).folder,
    issuer: url,
    requestsPerMinute: settings.IDENTITY_REQUESTS_PER_MINUTE,
    ...(settings.IDENTITY_TRUST_SIGN_UPS !== undefined && { trustSignUps: settings.IDENTITY_TRUST_SIGN_UPS }),
    ...(settings.IDENTITY_FAST_PASSWORD_HASHES && { passwordCost: fastCost }),
    audience: audienceOf(baseUrl),
    clients: {
      dashboard: {
        id: clientId,
        redirectUris: [`${baseUrl}/api/v1/auth/callback`],
        postLogoutUris: [baseUrl],
        loginUri: `${baseUrl}/api/v1/auth/authorize`,
      },
      device: { id: deviceClientId },
    },
    ...more,
  });
}

/**
 * Returns the identity settings that the stack adds to the environment of the services. For an external provider, these
 * are the audience and the client ids; the services inherit its other settings from the environment of the stack.
 */
export function identityEnvironment(
  { url, clientId, deviceClientId, audience, port }: IdentityFacts,
  baseUrl: string,
): NodeJS.ProcessEnv {
  const common = {
    IDENTITY_AUDIENCE: audience ?? audienceOf(baseUrl),
    IDENTITY_CLIENT_ID: clientId,
    IDENTITY_DEVICE_CLIENT_ID: deviceClientId,
  };
  if (port === undefined) return common;
  return {
    ...common,
    IDENTITY_URL: url,
    IDENTITY_ISSUER: url,
    IDENTITY_SIGNUP_URL: `${url}/api/v1/people`,
    IDENTITY_FORGOT_PASSWORD_URL: `${url}/api/v1/people/forgot-password`,
  };
}

/** Returns the encryption keys of stored secrets: those in the settings, or one in the data folder. */
export const sealingEnvironment = ({ DATA_DIR, ENCRYPTION_KEYS }: Settings): NodeJS.ProcessEnv => ({
  ENCRYPTION_KEYS: ENCRYPTION_KEYS ?? encryptionKeyOf(DATA_DIR),
});

const audienceOf = (baseUrl: string): string => `${baseUrl}/api/v1`;
const storedSettings = (dataDir: string) => new StoredSettings<StoredIdentity>(join(dataDir, 'identity'));

/** Returns the encryption key that is stored in the data folder. Creates and stores the key if there is none. */
function encryptionKeyOf(dataDir: string): string {
  const stored = storedSettings(dataDir);
  const known = stored.read().encryptionKey;
  if (known !== undefined) return known;
  const encryptionKey = randomBytes(KEY_BYTES).toString('base64');
  stored.add({ encryptionKey });
  return encryptionKey;
}
