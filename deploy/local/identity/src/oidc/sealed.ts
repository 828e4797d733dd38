import { hkdfSync } from 'node:crypto';
import { Sealing } from '@tautan/kit';

const sealingUnder = (id: string): Sealing =>
  new Sealing([Buffer.from(hkdfSync('sha256', id, '', 'tautan identity: sealed under its id', 32))]);

/** Encrypts a payload so that only who knows the id reads it: the id itself is kept nowhere. */
export const sealUnder = (id: string, payload: object): string =>
  sealingUnder(id).seal(JSON.stringify(payload), 'payload').toString('base64');

/** The payload, or undefined when it was sealed under another id. */
export function unsealUnder(id: string, sealed: string): Record<string, unknown> | undefined {
  const text = sealingUnder(id).open(Buffer.from(sealed, 'base64'), 'payload');
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
}
