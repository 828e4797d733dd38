import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '@tautan/local-web';

/** A password as it is kept: scrypt (RFC 7914) with its parameters, salt and hash in base64. */
export interface StoredPassword {
  n: number;
  r: number;
  p: number;
  salt: string;
  hash: string;
}

/** How dear a guess is. */
export interface PasswordCost {
  n: number;
  r: number;
  p: number;
}

/**
 * 8 MiB and about a quarter of a second: of the settings that the password storage cheat sheet of OWASP gives for scrypt the one
 * of the least memory, which the threads that hash keep.
 */
export const defaultCost: PasswordCost = { n: 2 ** 13, r: 8, p: 10 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes made at once: more would keep the file system waiting, which shares their threads. */
const AT_ONCE = 2;
/** Maximum number of hashes that wait for their turn, some 25 seconds of work. */
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
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    // Texts that look alike are alike, however a keyboard composes them.
    return await derive(password.normalize('NFKC'), salt, HASH_BYTES, { N: n, r, p, maxmem: 256 * n * r });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Hashes a password under a new salt. */
export async function storedPassword(password: string, cost: PasswordCost): Promise<StoredPassword> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await hashOf(password, salt, cost);
  return { n: cost.n, r: cost.r, p: cost.p, salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/** Whether a password is the stored one. Takes as long when there is none, so that time does not tell who exists. */
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
