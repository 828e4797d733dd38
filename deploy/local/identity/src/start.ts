import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { closeHttp, isLoopbackHost, listen, type Log } from '@tautan/kit';
import type { OnReset } from './http/password-pages.js';
import { createHandler } from './http/handler.js';
import { keysOf } from './keys.js';
import type { Clients } from './oidc/clients.js';
import { createProvider } from './oidc/provider.js';
import { fastCost, type PasswordCost } from './people/passwords.js';
import { People } from './people/people.js';
import { SignInLinks } from './people/sign-in-links.js';
import { State, type Loss } from '@tautan/append-log';

export interface IdentityOptions {
  port: number;
  host: string;
  /** Folder of `identity.log` and `keys.json`. Created if it does not exist. */
  dataDir: string;
  /** Origin of the provider, such as http://localhost:8081. Part of every user's identity. */
  issuer: string;
  /** Audience of access tokens. */
  audience: string;
  clients: Clients;
  log: Log;
  /** Whether to repair a corrupt `identity.log`, keeping all valid records. Default: false. */
  repair?: boolean;
  /** Receives a sentence for each loss of data found when `identity.log` is opened. `log` receives it too. */
  onLoss?: (message: string) => void;
  /** Called when a user requests a password reset. */
  onReset?: OnReset;
  /** Poll interval of devices in seconds. Default: 2. */
  deviceInterval?: number;
  /** Lifetime of device codes in seconds. Default: 600. */
  deviceCodeSeconds?: number;
  /** Requests per minute per client address for each limited operation, see `address-limits.ts`. Default: 300. */
  requestsPerMinute?: number;
  /**
   * Whether email addresses of sign-ups from this machine count as verified. Default: true if `host` is a loopback
   * address.
   */
  trustSignUps?: boolean;
  /** Cost of password hashes. */
  passwordCost?: PasswordCost;
}

export interface RunningIdentity {
  /** Issuer URL. */
  url: string;
  /**
   * Returns a URL that signs in the user with this email address. It is valid until the provider stops. Throws if there
   * is no such user.
   */
  createSignInLink(email: string): string;
  /**
   * Creates a verified account and a workspace that it owns. Returns false if the email address is taken. The password
   * is hashed at low cost, so that a program can create an account without a delay while it starts. The password must
   * therefore be generated, with at least 64 random bits.
   */
  createAccount(account: { email: string; password: string; name: string }): Promise<boolean>;
  /** Waits up to 2 s for pending requests, then closes all connections and `identity.log`. */
  stop(): Promise<void>;
}

const DRAIN_MS = 2_000;
const SWEEP_MS = 60_000;
const DEVICE_INTERVAL_SECONDS = 2;
const DEVICE_CODE_SECONDS = 600;
const REQUESTS_PER_MINUTE = 300;

/**
 * Starts the local identity provider. If the port is in use, or if the data cannot be read or is corrupt, rejects and
 * leaves nothing running.
 */
export async function startIdentity(options: IdentityOptions): Promise<RunningIdentity> {
  const { dataDir, port, host, issuer: url } = options;
  const keys = keysOf(dataDir);
  const onLoss = ({ message }: Loss): void => {
    options.log.warn(message);
    options.onLoss?.(message);
  };
  const state = await State.open(join(dataDir, 'identity.log'), { onLoss, repair: options.repair ?? false });
  const sweep = setInterval(() => state.sweep(), SWEEP_MS).unref();
  const close = async (): Promise<void> => {
    clearInterval(sweep);
    await state.close();
  };
  try {
    const people = new People(state, Date.now, options.passwordCost);
    const defaults = {
      deviceInterval: DEVICE_INTERVAL_SECONDS,
      deviceCodeSeconds: DEVICE_CODE_SECONDS,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      trustSignUps: isLoopbackHost(host),
      onReset: () => undefined,
    };
    const signInLinks = new SignInLinks();
    const deps = { ...defaults, ...options, keys, state, people, signInLinks };
    const server: Server = createServer(createHandler({ ...deps, provider: await createProvider(deps) }));
    await listen(server, port, host);
    const createSignInLink = (email: string): string => {
      const person = people.withEmail(email);
      if (!person) throw new Error(`No account has the email address ${email}.`);
      return `${url}/demo/${signInLinks.add(person.id)}`;
    };
    const createAccount: RunningIdentity['createAccount'] = async (account) => {
      if (people.withEmail(account.email)) return false;
      await people.signUp(account, true, fastCost);
      return true;
    };
    return { url, createSignInLink, createAccount, stop: () => closeHttp(server, DRAIN_MS).then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}
