import { join } from 'node:path';
import { makeFolder, readCredentials, writeCredentials, type CredentialsFile, type Profile } from './file.js';
import { withLock } from './lock.js';

/** The credentials on this machine. */
export interface CredentialStore {
  path: string;
  /** The file as it stands now. */
  read(): CredentialsFile;
  profile(url: string): Profile | undefined;
  /** Reads, changes and writes the file while no other process does; an interrupt waits until it is written. */
  change<T>(work: (file: CredentialsFile, save: () => void) => Promise<T> | T): Promise<T>;
}

/** Opens the store in `folder`, which is made when something is first written. */
export function credentialStore(folder: string): CredentialStore {
  const path = join(folder, 'credentials.json');
  const read = () => readCredentials(path);
  return {
    path,
    read,
    profile: (url) => read().profiles[url],
    change: async (work) => {
      makeFolder(folder);
      return withLock(`${path}.lock`, async () => {
        const file = read();
        return work(file, () => writeCredentials(path, file));
      });
    },
  };
}
