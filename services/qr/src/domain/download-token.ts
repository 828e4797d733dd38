import { createHash } from 'node:crypto';

/** Returns the stored form of a token: SHA-256, hexadecimal. Tokens are random, so no salt is needed. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
