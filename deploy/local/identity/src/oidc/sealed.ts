import { hkdfSync } from 'node:crypto';
import { Sealing } from '@tautan/kit';

const sealingUnder = (id: string): Sealing =>
  new Sealing([Buffer.from(hkdfSync('sha256', id, '', 'tautan identity: sealed under its id', 32))]);

/** Encrypts a payload with a key derived from an id. The id must not be stored, because it decrypts the payload. */
export const sealUnder = (id: string, payload: object): string =>
  sealingUnder(id).seal(JSON.stringify(payload), 'payload').toString('base64');

/** Decrypts a payload. Returns undefined if it was encrypted with the key of another id. */
export function unsealUnder(id: string, sealed: string): Record<string, unknown> | undefined {
  const text = sealingUnder(id).open(Buffer.from(sealed, 'base64'), 'payload');
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
}
