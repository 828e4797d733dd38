import { TautanError } from './error.js';
import type { WebhookEvent } from './types.js';

/** Headers of a request: a `Headers` object of the Fetch API, or Node's `request.headers`. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** Maximum difference between the webhook's timestamp and the local clock, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** Current time in ms since 1970; `Date.now` by default. */
  now?: () => number;
}

/** Maximum number of signatures that are checked. The service never sends more: one for each valid secret. */
const MAX_SIGNATURES = 10;

/**
 * Verifies a webhook by its signature (Standard Webhooks 1.0: HMAC-SHA256 over id, timestamp and body) and returns its
 * event. `body` must be the body exactly as received. Pass several secrets during a rotation. Signatures are compared
 * in constant time. The same event can be delivered more than once: store `webhook-id` to ignore duplicates.
 *
 * Throws `INVALID_SIGNATURE` if a header is missing, no signature matches, the timestamp is not within the tolerance,
 * or the body is not JSON. Throws `INVALID_ARGUMENT` if a secret cannot be decoded.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  const age = Math.abs(now() / 1_000 - Number(timestamp));
  if (!/^\d{1,15}$/.test(timestamp) || age > toleranceSeconds)
    throw invalidSignature(
      'webhook-timestamp',
      `webhook-timestamp must be within ${toleranceSeconds} seconds of the current time.`,
    );
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all([secret].flat().map(importSecret));
  if (!(await matches(keys, signaturesIn(signatures), signed)))
    throw invalidSignature(
      'webhook-signature',
      'webhook-signature does not match. Check the secret, and pass the body unchanged.',
    );
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch (error) {
    throw new TautanError('INVALID_SIGNATURE', 'The body is not JSON.', { cause: error });
  }
}

const invalidSignature = (field: string, message: string): TautanError =>
  new TautanError('INVALID_SIGNATURE', message, { field });

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (typeof value !== 'string' || value === '')
    throw invalidSignature(name, `The header ${name} must be present exactly once.`);
  return value;
}

const valueOf = (headers: Record<string, unknown>, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** Returns the signatures of version 1. Signatures of unknown versions are ignored. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .slice(0, MAX_SIGNATURES)
    .map((each) => decode(each.slice('v1,'.length)))
    .filter((each) => each !== undefined);

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decode(secret.replace(/^whsec_/, ''));
  if (!bytes?.length)
    throw new TautanError('INVALID_ARGUMENT', 'secret must be whsec_ followed by base64.', { field: 'secret' });
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** `crypto.subtle.verify` compares in constant time. */
async function matches(keys: CryptoKey[], signatures: Uint8Array<ArrayBuffer>[], signed: Uint8Array<ArrayBuffer>) {
  const checks = keys.flatMap((key) => signatures.map((one) => crypto.subtle.verify('HMAC', key, one, signed)));
  return (await Promise.all(checks)).includes(true);
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
