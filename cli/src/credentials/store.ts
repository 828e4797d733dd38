import { join } from 'node:path';
import { makeFolder, readCredentials, writeCredentials, type CredentialsFile, type Profile } from './file.js';
import { withLock } from './lock.js';

/** Access to the stored credentials. */
export interface CredentialStore {
  path: string;
  /** Returns the current content of the file. */
  read(): CredentialsFile;
  profile(url: string): Profile | undefined;
  /** Runs `work` under a lock. `save` writes the changed `file`. Interrupts are deferred until `work` ends. */
  change<T>(work: (file: CredentialsFile, save: () => void) => Promise<T> | T): Promise<T>;
}

/** Returns the store in `folder`. The first call of `change` creates the folder. */
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
