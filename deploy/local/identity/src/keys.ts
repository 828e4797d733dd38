import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the provider signs with. */
export interface Keys {
  /** An ES256 private key as a JWK (RFC 7517), with `kid`, `alg` and `use`. */
  signing: Record<string, string>;
  /** Of the cookies' signatures; the first signs, all verify. */
  cookies: string[];
}

/** The keys of a data folder, made at the first start and readable by their owner alone. */
export function keysOf(folder: string): Keys {
  const path = join(folder, 'keys.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const keys = newKeys();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.next`, JSON.stringify(keys), { mode: 0o600, flush: true });
  renameSync(`${path}.next`, path);
  return keys;
}

function newKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' }) as Record<string, string>;
  const kid = randomBytes(12).toString('base64url');
  return { signing: { ...jwk, kid, alg: 'ES256', use: 'sig' }, cookies: [randomBytes(32).toString('base64url')] };
}
