import { apiClient, type Api } from './api/client.js';
import type { Environment } from './config.js';
import { keyCredential, storedCredential } from './credentials/credential.js';
import { profileUrl } from './credentials/file.js';
import { credentialStore, type CredentialStore } from './credentials/store.js';
import { fail } from './errors.js';
import { openTerminal, withTarget, type Terminal } from './output/terminal.js';

/** Options that every command takes. */
export interface GlobalOptions {
  json?: boolean;
  url?: string;
  profile?: string;
  workspace?: string;
  /** False after --no-color. */
  color?: boolean;
}

/** What a command works with. */
export interface Context {
  terminal: Terminal;
  /** Whether exact data is wanted instead of text for people. */
  json: boolean;
  /** The service's address, without a slash at its end. */
  url: string;
  /** The name that the command line gives to the profile. */
  profileName: string | undefined;
  /** The workspace that the command line or the environment names. */
  workspaceId: string | undefined;
  environment: Environment;
  store: CredentialStore;
  /** A command line of this program to try next: with the address that this one was given. */
  suggest: (words: string) => string;
  /** The API, as the person or key that is signed in. Fails with `signedOut` when nobody is. */
  api: () => Api;
}

/** Whether a host name stands for this machine. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);

/** Where `npm start` serves the product. */
const DEFAULT_URL = 'http://localhost:8080';

/** Settles what the command line, the environment and the file say, in this order. */
export function openContext(environment: Environment, options: GlobalOptions): Context {
  const store = credentialStore(environment.configDir);
  const url = addressOf(environment, options, store);
  const workspaceId = options.workspace ?? environment.workspace;
  const terminal = openTerminal(environment, options);
  return {
    terminal,
    suggest: (words) => terminal.style.cyan(withTarget(`tautan ${words}`, options)),
    json: options.json === true,
    url,
    profileName: options.profile,
    workspaceId,
    environment,
    store,
    api: () => {
      if (environment.apiKey) return apiClient({ url, workspaceId, credential: keyCredential(environment.apiKey) });
      const credential = storedCredential(store, url);
      return apiClient({ url, workspaceId: workspaceId ?? store.profile(url)?.workspaceId, credential });
    },
  };
}

/** The address that is named by the command line, the environment or the profile that was used last, in this order. */
function addressOf(environment: Environment, options: GlobalOptions, store: CredentialStore): string {
  if (options.url !== undefined) return baseUrl(options.url, '--url');
  if (options.profile !== undefined) return profileAddress(store, options.profile);
  if (environment.url !== undefined) return baseUrl(environment.url, 'TAUTAN_URL');
  if (environment.profile !== undefined) return profileAddress(store, environment.profile);
  return store.read().current ?? DEFAULT_URL;
}

function profileAddress(store: CredentialStore, name: string): string {
  const url = profileUrl(store.read(), name);
  if (url !== undefined) return url;
  throw fail('usage', `There is no profile ${name}.`, { hint: 'See: tautan profiles list' });
}

/**
 * A service's address as it is typed, brought to one form: what is stored for it is found by it. Without a scheme it is https, on
 * this machine http. Fails, naming the `setting` that it comes from, if it is none.
 */
export function baseUrl(text: string, setting: string): string {
  const scheme = isLoopbackHost(URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : '')
    ? 'http'
    : 'https';
  const typed = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`;
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw fail('usage', `${setting}: ${text} is not an http(s) address.`, {
      hint: 'For example: https://go.example.com',
    });
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`;
}
