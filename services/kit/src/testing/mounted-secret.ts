import { mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder whose files are replaced atomically, like a Secret mounted by the kubelet. */
export interface MountedSecret<Name extends string> {
  paths: Record<Name, string>;
  /** Atomically replaces all files with copies of others, by renaming a symlink. */
  replace(sources: Record<Name, string>): void;
}

/** Mounts copies of files into a new folder. */
export function mountSecret<Name extends string>(sources: Record<Name, string>): MountedSecret<Name> {
  const folder = mkdtempSync(join(tmpdir(), 'tautan-secret-'));
  const names = Object.keys(sources) as Name[];
  let version = 0;
  const replace = (files: Record<Name, string>): void => {
    version += 1;
    const data = `..version-${version}`;
    mkdirSync(join(folder, data));
    for (const name of names) writeFileSync(join(folder, data, name), readFileSync(files[name]));
    symlinkSync(data, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  replace(sources);
  for (const name of names) symlinkSync(join('..data', name), join(folder, name));
  const paths = Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Record<Name, string>;
  return { paths, replace };
}
