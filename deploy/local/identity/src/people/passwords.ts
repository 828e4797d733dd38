import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '@tautan/local-web';

/** A stored password: scrypt (RFC 7914) parameters, salt and hash in base64. */
export interface StoredPassword {
  n: number;
  r: number;
  p: number;
  salt: string;
  hash: string;
}

/** scrypt cost parameters. */
export interface PasswordCost {
  n: number;
  r: number;
  p: number;
}

/**
 * Cost of passwords that users choose: 8 MiB and about 250 ms per hash. Of the settings in OWASP's password storage
 * cheat sheet, this one needs the least memory, which matters because the threads that hash do not return their memory
 * to the system.
 */
export const defaultCost: PasswordCost = { n: 2 ** 13, r: 8, p: 10 };

/** For tests, and for generated passwords of at least 64 random bits, which cannot be guessed even with fast hashes. */
export const fastCost: PasswordCost = { n: 2 ** 10, r: 8, p: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Maximum number of concurrent hashes. They run on the threads that file operations also need. */
const MAX_CONCURRENT = 2;
/** Maximum number of queued hashes, about 25 seconds of work. */
const MAX_WAITING = 200;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

let running = 0;
const waiting: (() => void)[] = [];

async function hashOf(password: string, salt: Buffer, { n, r, p }: PasswordCost): Promise<Buffer> {
  if (waiting.length >= MAX_WAITING)
    throw new Refusal(
      503,
      'temporarily_unavailable',
      'Too many passwords are being checked. Try again in a moment.',
      undefined,
      5,
    );
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    // Normalize, because keyboards compose the same characters differently.
    return await derive(password.normalize('NFKC'), salt, HASH_BYTES, { N: n, r, p, maxmem: 256 * n * r });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Hashes a password with a new salt. */
export async function storedPassword(password: string, cost: PasswordCost): Promise<StoredPassword> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashOf(password, salt, cost);
  return { n: cost.n, r: cost.r, p: cost.p, salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/**
 * Returns whether a password matches the stored one. If no password is stored, takes as long as for one stored with
 * `cost`, so that timing does not reveal accounts.
 */
export async function isPassword(
  password: string,
  stored: StoredPassword | undefined,
  cost: PasswordCost,
): Promise<boolean> {
  if (!stored) {
    await hashOf(password, randomBytes(SALT_BYTES), cost);
    return false;
  }
  const hash = await hashOf(password, Buffer.from(stored.salt, 'base64'), stored);
  return timingSafeEqual(hash, Buffer.from(stored.hash, 'base64'));
}
