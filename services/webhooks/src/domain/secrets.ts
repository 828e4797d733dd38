import { randomBytes } from 'node:crypto';
import type { Sealing } from '@tautan/kit';
import type { StoredSecret } from './endpoint.js';

const OVERLAP_MS = 24 * 3_600_000;
/** Secrets that sign at once: the signature header has to stay short. */
const MOST = 10;

/** What the secrets of an endpoint are sealed for. */
export const contextOfSecrets = (endpointId: string): string => `webhook endpoint ${endpointId}`;

/** A new secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Seals a secret for one endpoint. */
export const sealSecret = (sealing: Sealing, endpointId: string, secret: string): StoredSecret => ({
  sealed: sealing.seal(secret, contextOfSecrets(endpointId)),
  expiresAt: null,
});

/** Returns a secret of an endpoint, or undefined when it cannot be read under the keys at hand. */
export const openSecret = (sealing: Sealing, endpointId: string, { sealed }: StoredSecret): string | undefined =>
  sealing.open(sealed, contextOfSecrets(endpointId));

/** Puts a new secret in front; the one before it signs for another 24 hours, and what has expired is dropped. */
export function rotated(secrets: readonly StoredSecret[], added: StoredSecret, now: Date): StoredSecret[] {
  const until = new Date(now.getTime() + OVERLAP_MS);
  const older = secrets.map((secret) => ({ ...secret, expiresAt: secret.expiresAt ?? until }));
  return [added, ...older.filter(({ expiresAt }) => expiresAt > now)].slice(0, MOST);
}

/** The secrets that sign now, the current one first; undefined when one cannot be read under the keys at hand. */
export function openSecrets(
  sealing: Sealing,
  { _id, secrets }: { _id: string; secrets: readonly StoredSecret[] },
  now: Date,
): string[] | undefined {
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const opened = valid.map((secret) => openSecret(sealing, _id, secret));
  return opened.every((secret) => secret !== undefined) ? opened : undefined;
}
