import { apiClient, type Api } from './api/client.js';
import type { Environment } from './config.js';
import { keyCredential, storedCredential } from './credentials/credential.js';
import { profileUrl } from './credentials/file.js';
import { credentialStore, type CredentialStore } from './credentials/store.js';
import { fail } from './errors.js';
import { openTerminal, withTarget, type Terminal } from './output/terminal.js';

/** Options of every command. */
export interface GlobalOptions {
  json?: boolean;
  url?: string;
  profile?: string;
  workspace?: string;
  /** False with --no-color. */
  color?: boolean;
}

/** Settings and dependencies of a command. */
export interface Context {
  terminal: Terminal;
  /** Whether to print JSON. */
  json: boolean;
  /** Service URL without a trailing slash. Reading it throws if a setting is invalid. */
  readonly url: string;
  /** Profile name from the command line. */
  profileName: string | undefined;
  /**
   * Id of the workspace to use: from the command line, the environment or, without an API key, the stored profile. An
   * API key belongs to one workspace. Reading this property throws if a setting is invalid.
   */
  readonly workspaceId: string | undefined;
  environment: Environment;
  store: CredentialStore;
  /** Returns a command line to suggest, with the same --url or --profile option as the running command. */
  suggest: (words: string) => string;
  /** Returns an authenticated API client. Throws `signedOut` without credentials. */
  api: () => Api;
}

/** Returns whether a host name refers to this machine. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);

/** URL of the local stack. */
const DEFAULT_URL = 'http://localhost:8080';

/** Builds the context from the command line, the environment and the stored settings, in this order of precedence. */
export function openContext(environment: Environment, options: GlobalOptions): Context {
  const store = credentialStore(environment.configDir);
  let resolvedUrl: string | undefined;
  // Resolved on first use, so that commands that do not call the service work even if the URL or the profile is
  // invalid.
  const serviceUrlOnce = () => (resolvedUrl ??= serviceUrl(environment, options, store));
  const workspaceIdFor = (url: string) =>
    options.workspace ?? environment.workspace ?? (environment.apiKey ? undefined : store.profile(url)?.workspaceId);
  const terminal = openTerminal(environment, options);
  return {
    terminal,
    suggest: (words) => terminal.style.cyan(withTarget(`tautan ${words}`, options)),
    json: options.json === true,
    get url() {
      return serviceUrlOnce();
    },
    profileName: options.profile,
    get workspaceId() {
      return workspaceIdFor(serviceUrlOnce());
    },
    environment,
    store,
    api: () => {
      const url = serviceUrlOnce();
      const credential = environment.apiKey ? keyCredential(environment.apiKey) : storedCredential(store, url);
      return apiClient({ url, workspaceId: workspaceIdFor(url), credential });
    },
  };
}

/** Returns the service URL from the command line, the environment or the current profile, in this order. */
function serviceUrl(environment: Environment, options: GlobalOptions, store: CredentialStore): string {
  if (options.url !== undefined) return baseUrl(options.url, '--url');
  if (options.profile !== undefined) return storedUrl(store, options.profile);
  if (environment.url !== undefined) return baseUrl(environment.url, 'TAUTAN_URL');
  if (environment.profile !== undefined) return storedUrl(store, environment.profile);
  return store.read().current ?? DEFAULT_URL;
}

function storedUrl(store: CredentialStore, name: string): string {
  const url = profileUrl(store.read(), name);
  if (url !== undefined) return url;
  throw fail('usage', `No profile found: ${name}.`, { hint: 'See: tautan profiles list' });
}

/**
 * Normalizes a service URL, so that it can be the key of a stored profile. The default scheme is http for loopback
 * hosts and https for others. Throws an error that names `setting` if the text is not an http(s) URL, or has a user
 * name, a password, a query or a fragment.
 */
export function baseUrl(text: string, setting: string): string {
  const scheme = isLoopbackHost(URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : '')
    ? 'http'
    : 'https';
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  const hint = 'For example: https://go.example.com';
  if (!url || !/^https?:$/.test(url.protocol))
    throw fail('usage', `${setting}: ${text} is not an http(s) URL.`, { hint });
  if (url.username || url.password || url.search || url.hash)
    throw fail('usage', `${setting}: The URL must not have a user name, a password, a query or a fragment.`, { hint });
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}`;
}
