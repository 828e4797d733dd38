import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningIdentity } from '@tautan/local-identity';
import { Kept } from './kept.js';
import type { LocalPartOptions } from './local-part.js';
import { chooseKeptPort, isFree } from './ports.js';
import type { Settings } from './settings.js';

/** Where people sign in. */
export interface IdentityFacts {
  /** The provider's own address. */
  url: string;
  clientId: string;
  deviceClientId: string;
  /** Of the local provider; absent where IDENTITY_URL names another. */
  port?: number;
}

/** What a data folder keeps of identity, besides the provider's own data. */
interface KeptOfIdentity {
  port?: number;
  encryptionKey?: string;
}

const KEY_BYTES = 32;
const CLIENT = 'tautan';
const DEVICE_CLIENT = 'tautan-cli';

/**
 * Where people sign in: at the provider that the settings name, else at a local one. Its address is a part of everybody's
 * identity, so that its port is chosen once for a data folder. Throws one plain sentence when something else has it now.
 */
export async function planIdentity(settings: Settings): Promise<IdentityFacts> {
  if (settings.IDENTITY_URL !== undefined) {
    const { IDENTITY_URL: url, IDENTITY_CLIENT_ID: clientId, IDENTITY_DEVICE_CLIENT_ID: deviceClientId } = settings;
    return { url, clientId, deviceClientId };
  }
  const port = await portOf(settings);
  return { url: `http://localhost:${port}`, clientId: CLIENT, deviceClientId: DEVICE_CLIENT, port };
}

async function portOf({ DATA_DIR, BIND_HOST, IDENTITY_PORT }: Settings): Promise<number> {
  const keeper = keptOf(DATA_DIR);
  const kept = keeper.read().port;
  const port = IDENTITY_PORT ?? kept ?? (await chooseKeptPort(BIND_HOST));
  if (!(await isFree(port, BIND_HOST)))
    throw new Error(
      `Port ${port} on ${BIND_HOST}, where people of this data folder sign in, is already in use: free it, or set IDENTITY_PORT to another.`,
    );
  if (port !== kept) keeper.add({ port });
  return port;
}

/** Starts the local provider. Its library is loaded only here, while the other processes start. */
export async function startLocalIdentity(
  { port, url, clientId, deviceClientId }: IdentityFacts & { port: number },
  { settings, baseUrl, ...more }: LocalPartOptions & { onReset: (email: string, link: string) => void },
): Promise<RunningIdentity> {
  const { startIdentity } = await import('@tautan/local-identity');
  return startIdentity({
    port,
    host: settings.BIND_HOST,
    dataDir: keptOf(settings.DATA_DIR).folder,
    issuer: url,
    requestsPerMinute: settings.IDENTITY_REQUESTS_PER_MINUTE,
    ...(settings.IDENTITY_TRUST_SIGN_UPS !== undefined && { trustSignUps: settings.IDENTITY_TRUST_SIGN_UPS }),
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

/** What the services are told of identity. A provider that the settings name is told of by the same settings. */
export function identityEnvironment(
  { url, clientId, deviceClientId, port }: IdentityFacts,
  baseUrl: string,
): NodeJS.ProcessEnv {
  if (port === undefined) return { IDENTITY_AUDIENCE: audienceOf(baseUrl) };
  return {
    IDENTITY_URL: url,
    IDENTITY_ISSUER: url,
    IDENTITY_AUDIENCE: audienceOf(baseUrl),
    IDENTITY_CLIENT_ID: clientId,
    IDENTITY_DEVICE_CLIENT_ID: deviceClientId,
    IDENTITY_SIGNUP_URL: `${url}/api/v1/people`,
    IDENTITY_FORGOT_PASSWORD_URL: `${url}/api/v1/people/forgot-password`,
  };
}

/** What services seal the secrets under that they have to read again: the settings' keys, else one of the data folder. */
export const sealingEnvironment = ({ DATA_DIR, ENCRYPTION_KEYS }: Settings): NodeJS.ProcessEnv => ({
  ENCRYPTION_KEYS: ENCRYPTION_KEYS ?? encryptionKeyOf(DATA_DIR),
});

const audienceOf = (baseUrl: string): string => `${baseUrl}/api/v1`;
const keptOf = (dataDir: string) => new Kept<KeptOfIdentity>(join(dataDir, 'identity'));

/** The key that stored tokens are sealed under, made at the first start. */
function encryptionKeyOf(dataDir: string): string {
  const kept = keptOf(dataDir);
  const known = kept.read().encryptionKey;
  if (known !== undefined) return known;
  const encryptionKey = randomBytes(KEY_BYTES).toString('base64');
  kept.add({ encryptionKey });
  return encryptionKey;
}
