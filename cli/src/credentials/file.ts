import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../errors.js';
import { reasonOf } from '../output/file-problem.js';

/** Tokens of a signed-in user and the provider that refreshes them. */
export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** Time after which the access token is refreshed before use (ISO 8601). */
  refreshAt: string;
  issuer: string;
  tokenEndpoint: string;
  clientId: string;
}

/** Stored data of one service: a user's tokens or an API key; neither after signing out. */
export interface Profile {
  /** Name for `--profile`. Defaults to the host of the service URL. */
  name?: string;
  tokens?: Tokens;
  apiKey?: string;
  /** The workspace selected by `workspaces switch`. */
  workspaceId?: string;
}

/** The credentials file: profiles, keyed by service URL. */
export interface CredentialsFile {
  version: 1;
  /** Service URL of the last `login` or `profiles use`, kept after signing out. */
  current: string | undefined;
  profiles: Record<string, Profile>;
}

/** Returns the name of a profile. */
export const profileName = (url: string, { name }: Profile): string => name ?? new URL(url).host;

/** Removes everything that is stored for a service, except its URL and name. */
export function forgetCredential({ profiles }: CredentialsFile, url: string): void {
  const { name } = profiles[url] ?? {};
  profiles[url] = name === undefined ? {} : { name };
}

/** Returns the URL of the profile whose name or URL is `wanted`, or undefined if there is none. */
export const profileUrl = ({ profiles }: CredentialsFile, wanted: string): string | undefined =>
  Object.keys(profiles).find((url) => url === wanted || profileName(url, profiles[url]!) === wanted);

const emptyFile: CredentialsFile = { version: 1, current: undefined, profiles: {} };

/**
 * Reads the credentials file. Returns empty credentials if it does not exist. Throws `signedOut` if it is unreadable or
 * invalid.
 */
export function readCredentials(path: string): CredentialsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return structuredClone(emptyFile);
    throw fail('signedOut', `${path} cannot be read: ${reasonOf(error)}.`);
  }
  const file = parse(text);
  if (file) return file;
  throw fail('signedOut', `${path} is not a credentials file of this version of tautan.`, {
    hint: 'Delete it and sign in again: tautan login',
  });
}

function parse(text: string): CredentialsFile | undefined {
  try {
    const file = JSON.parse(text) as CredentialsFile;
    return file.version === 1 && typeof file.profiles === 'object' && file.profiles ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the file atomically and durably. Only its owner can read the new file. Throws `unwritten` on failure; the
 * file is then unchanged, unless only the flush of its folder failed. Must be called under the lock.
 */
export function writeCredentials(path: string, file: CredentialsFile): void {
  try {
    replace(path, file);
  } catch (error) {
    throw fail('unwritten', `${path} cannot be written: ${reasonOf(error)}.`);
  }
}

function replace(path: string, file: CredentialsFile): void {
  // A fixed name, so that the leftover of a killed process is overwritten.
  const draft = `${path}.new`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(file, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Creates the folder with access for its owner only. An existing folder keeps its mode. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fail('unwritten', `The folder ${path} cannot be created: ${reasonOf(error)}.`, {
      hint: 'Set TAUTAN_CONFIG_DIR to use another folder.',
    });
  }
}

/** Flushes the folder, which makes a rename durable. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
