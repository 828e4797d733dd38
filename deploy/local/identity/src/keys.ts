import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckedJson, writeCheckedJson } from '@tautan/append-log';

/** Keys that the provider signs tokens and cookies with. */
export interface Keys {
  /** An ES256 private key as a JWK (RFC 7517), with `kid`, `alg` and `use`. */
  signing: Record<string, string>;
  /** Cookie keys. The first one signs, all verify. */
  cookies: string[];
}

/**
 * Returns the keys of a data folder, which are created at the first start and readable by their owner only. Throws if
 * the file is corrupt: new keys would end every session, and corrupt keys would create invalid signatures.
 */
export function keysOf(folder: string): Keys {
  const path = join(folder, 'keys.json');
  const known = readCheckedJson<Keys>(path);
  if (known) return known;
  const keys = newKeys();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeCheckedJson(path, keys);
  return keys;
}

function newKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' }) as Record<string, string>;
  const kid = randomBytes(12).toString('base64url');
  return { signing: { ...jwk, kid, alg: 'ES256', use: 'sig' }, cookies: [randomBytes(32).toString('base64url')] };
}
