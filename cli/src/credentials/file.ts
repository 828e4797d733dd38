import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../errors.js';
import { reasonOf } from '../output/file-problem.js';

/** Tokens of a signed-in person, and where they are renewed. */
export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** From when on the access token is renewed before it is used, ISO 8601. */
  refreshAt: string;
  issuer: string;
  tokenEndpoint: string;
  clientId: string;
}

/** What is kept for one service: a user's tokens, or an API key; neither after signing out. */
export interface Profile {
  /** Name that `--profile` selects it by; the host of its address if absent. */
  name?: string;
  tokens?: Tokens;
  apiKey?: string;
  /** The workspace that was switched to. */
  workspaceId?: string;
}

/** The file of credentials: profiles by the service's address. */
export interface CredentialsFile {
  version: 1;
  /** The address that was signed in to last, also after signing out. */
  current: string | undefined;
  profiles: Record<string, Profile>;
}

/** Returns the name of a profile. */
export const profileName = (url: string, { name }: Profile): string => name ?? new URL(url).host;

/** Removes the credential of a service, and keeps its address and name. */
export function forgetCredential({ profiles }: CredentialsFile, url: string): void {
  const { name } = profiles[url] ?? {};
  profiles[url] = name === undefined ? {} : { name };
}

/** Returns the address of a profile, by its name or address; undefined if there is none. */
export const profileUrl = ({ profiles }: CredentialsFile, wanted: string): string | undefined =>
  Object.keys(profiles).find((url) => url === wanted || profileName(url, profiles[url]!) === wanted);

const nobody: CredentialsFile = { version: 1, current: undefined, profiles: {} };

/** Reads the file; nobody is signed in where there is none. Fails, naming it, when it is not what this program wrote. */
export function readCredentials(path: string): CredentialsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return structuredClone(nobody);
    throw fail('signedOut', `${path} cannot be read: ${reasonOf(error)}.`);
  }
  const file = parse(text);
  if (file) return file;
  throw fail('signedOut', `${path} holds no credentials of this version of tautan.`, {
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
 * Replaces the file whole: readable by its owner alone, on disk when this returns. Fails with `unwritten`, and then leaves the
 * file as it was. Call it under the lock.
 */
export function writeCredentials(path: string, file: CredentialsFile): void {
  try {
    replace(path, file);
  } catch (error) {
    throw fail('unwritten', `${path} cannot be written: ${reasonOf(error)}.`);
  }
}

function replace(path: string, file: CredentialsFile): void {
  // One name for all: what a process left that was killed is overwritten.
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

/** Makes the folder for its owner alone; one that exists keeps its mode. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fail('unwritten', `The folder ${path} cannot be created: ${reasonOf(error)}.`, {
      hint: 'TAUTAN_CONFIG_DIR names another one.',
    });
  }
}

/** A rename is durable once its folder is. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
