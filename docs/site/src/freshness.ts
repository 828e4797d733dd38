import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** All sources of the site. */
const inputs = [
  'CHANGELOG.md',
  'sdk/README.md',
  'cli/README.md',
  'proto/asyncapi.json',
  'package-lock.json',
  'docs',
  'gateway/dist',
  'proto/dist',
  'services/kit/dist',
];

const isInput = (name: string): boolean =>
  /\.(md|js|css|svg|json)$/.test(name) && !/node_modules|\.test\.js$/.test(name);

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names
    .filter(isInput)
    .toSorted()
    .map((name) => join(path, name));
}

/** Returns a digest of all sources. */
export function fingerprint(): string {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap((input) => filesIn(join(root, input))))
    hash.update(path).update(readFileSync(path));
  return hash.digest('hex');
}

const fingerprintFile = (folder: string): string => join(folder, '.fingerprint');

/** Returns whether a folder contains the site built from the sources with this digest. */
export const isFresh = (folder: string, digest: string): boolean =>
  existsSync(fingerprintFile(folder)) && readFileSync(fingerprintFile(folder), 'utf8') === digest;

/** Records that a folder contains the site built from the sources with this digest. */
export const markFresh = (folder: string, digest: string): void => writeFileSync(fingerprintFile(folder), digest);
