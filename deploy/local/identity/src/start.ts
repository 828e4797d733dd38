import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { closeHttp, isLoopbackHost, listen, type Log } from '@tautan/kit';
import type { OnReset } from './http/password-pages.js';
import { createHandler } from './http/handler.js';
import { keysOf } from './keys.js';
import type { Clients } from './oidc/clients.js';
import { createProvider } from './oidc/provider.js';
import type { PasswordCost } from './people/passwords.js';
import { People } from './people/people.js';
import { SignInLinks } from './people/sign-in-links.js';
import { State, type Loss } from '@tautan/append-log';

export interface IdentityOptions {
  port: number;
  host: string;
  /** Holds `identity.log` and `keys.json`; made when it is not there. */
  dataDir: string;
  /** The provider's own origin, such as http://localhost:8081: a part of everybody's identity. */
  issuer: string;
  /** What access tokens are for. */
  audience: string;
  clients: Clients;
  log: Log;
  /** Opens a damaged `identity.log` too, with everything whole in it; default false. */
  repair?: boolean;
  /** Receives one sentence for each loss at opening, in addition to `log`. */
  onLoss?: (message: string) => void;
  /** Called when a person asks for a new password. */
  onReset?: OnReset;
  /** Seconds between two polls of a device, default 2. */
  deviceInterval?: number;
  /** How long a device's code is good for, default 600. */
  deviceCodeSeconds?: number;
  /** Requests per minute and client address, for each operation that is limited: see `address-limits.ts`. Default 300. */
  requestsPerMinute?: number;
  /** Whether addresses of sign-ups on this machine count as verified. Default: while `host` is on loopback. */
  trustSignUps?: boolean;
  /** What the hash of a password costs. */
  passwordCost?: PasswordCost;
}

export interface RunningIdentity {
  /** The issuer. */
  url: string;
  /** Returns an address that signs the user with this email address in until the provider stops. Throws if there is none. */
  createSignInLink(email: string): string;
  /** Answers what is under way, then closes the file. */
  stop(): Promise<void>;
}

const DRAIN_MS = 2_000;
const SWEEP_MS = 60_000;
const DEVICE_INTERVAL = 2;
const DEVICE_CODE_SECONDS = 600;
const REQUESTS_PER_MINUTE = 300;

/**
 * Starts the local identity provider. Rejects with one plain sentence when the port is taken, or when the data cannot be
 * read or is damaged; nothing is left running then.
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
      deviceInterval: DEVICE_INTERVAL,
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
    return { url, createSignInLink, stop: () => closeHttp(server, DRAIN_MS).then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}
