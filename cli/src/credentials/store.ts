import { join } from 'node:path';
import { makeFolder, readCredentials, writeCredentials, type CredentialsFile, type Profile } from './file.js';
import { withLock } from './lock.js';

/** Access to the stored credentials. */
export interface CredentialStore {
  path: string;
  /** Returns the current content. */
  read(): CredentialsFile;
  profile(url: string): Profile | undefined;
  /** Updates the file under a lock. An interrupt is deferred until it is written. */
  change<T>(work: (file: CredentialsFile, save: () => void) => Promise<T> | T): Promise<T>;
}

/** Opens the store in `folder`, which is created by the first write. */
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
