import { randomBytes } from 'node:crypto';
import type { Sealing } from '@tautan/kit';
import type { StoredSecret } from './endpoint.js';

/** For how long a replaced secret continues to sign. */
const OVERLAP_MS = 24 * 3_600_000;
/**
 * Maximum number of secrets that sign concurrently. Bounds the length of the signature header. The SDK checks as many
 * signatures (`MAX_SIGNATURES`).
 */
const MAX_SECRETS = 10;

/** Returns the encryption context of an endpoint's secrets. */
export const contextOfSecrets = (endpointId: string): string => `webhook endpoint ${endpointId}`;

/** Returns a new secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Encrypts a secret for one endpoint. */
export const sealSecret = (sealing: Sealing, endpointId: string, secret: string): StoredSecret => ({
  sealed: sealing.seal(secret, contextOfSecrets(endpointId)),
  expiresAt: null,
});

/** Returns a secret of an endpoint, or undefined if none of the configured keys decrypts it. */
export const openSecret = (sealing: Sealing, endpointId: string, { sealed }: StoredSecret): string | undefined =>
  sealing.open(sealed, contextOfSecrets(endpointId));

/**
 * Returns the secrets after a rotation to `added`. The previous one signs for another 24 hours; expired secrets, and
 * the oldest ones beyond the maximum, are removed.
 */
export function rotated(secrets: readonly StoredSecret[], added: StoredSecret, now: Date): StoredSecret[] {
  const until = new Date(now.getTime() + OVERLAP_MS);
  const older = secrets.map((secret) => ({ ...secret, expiresAt: secret.expiresAt ?? until }));
  return [added, ...older.filter(({ expiresAt }) => expiresAt > now)].slice(0, MAX_SECRETS);
}

/** Returns the secrets that sign now, the current one first; undefined if any of them cannot be decrypted. */
export function openSecrets(
  sealing: Sealing,
  { _id, secrets }: { _id: string; secrets: readonly StoredSecret[] },
  now: Date,
): string[] | undefined {
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const opened = valid.map((secret) => openSecret(sealing, _id, secret));
  return opened.every((secret) => secret !== undefined) ? opened : undefined;
}
