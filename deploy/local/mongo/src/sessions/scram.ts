import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { MongoError } from '../language/errors.js';

/** The user and password that clients authenticate with. */
export interface Credentials {
  user: string;
  password: string;
}

/** The server's default for SCRAM-SHA-256. */
const ITERATIONS = 15_000;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const failed = (): MongoError => new MongoError('AuthenticationFailed', 'Authentication failed.');

/** The keys that a server derives from a password (RFC 5802 section 3, with SHA-256 as of RFC 7677). */
export class ScramKeys {
  /** Escaped as in messages. */
  readonly user: string;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;

  constructor(
    { user, password }: Credentials,
    readonly salt = randomBytes(28),
    readonly iterations = ITERATIONS,
  ) {
    this.user = user.replaceAll('=', '=3D').replaceAll(',', '=2C');
    // The part of SASLprep (RFC 4013) that changes printable characters.
    const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
    this.storedKey = sha256(hmac(salted, 'Client Key'));
    this.serverKey = hmac(salted, 'Server Key');
  }
}

/** An authentication by SCRAM-SHA-256. Throws the same error for an unknown user and a wrong password. */
export class ScramExchange {
  readonly #clientFirst: string;
  readonly #nonce: string;
  readonly #isKnown: boolean;
  /** The response to the client's first message. */
  readonly serverFirst: string;

  constructor(
    private readonly keys: ScramKeys,
    clientFirst: string,
    serverNonce = randomBytes(24).toString('base64'),
  ) {
    const [, bare, user, nonce] = /^n,,(n=([^,]*),r=([^,]+))$/.exec(clientFirst) ?? [];
    if (bare === undefined) throw failed();
    this.#clientFirst = bare;
    this.#isKnown = user === keys.user;
    this.#nonce = nonce! + serverNonce;
    this.serverFirst = `r=${this.#nonce},s=${keys.salt.toString('base64')},i=${keys.iterations}`;
  }

  /** Verifies the client's proof. Returns the response to its last message. */
  finish(clientFinal: string): string {
    // `biws` is `n,,` in base64: no channel binding.
    const [, bare, nonce, proof] = /^(c=biws,r=([^,]+)),p=([A-Za-z0-9+/]+=*)$/.exec(clientFinal) ?? [];
    if (bare === undefined || nonce !== this.#nonce) throw failed();
    const message = `${this.#clientFirst},${this.serverFirst},${bare}`;
    const signature = hmac(this.keys.storedKey, message);
    const given = Buffer.from(proof!, 'base64');
    if (given.length !== signature.length) throw failed();
    const clientKey = given.map((byte, i) => byte ^ signature[i]!);
    const isRight = timingSafeEqual(sha256(clientKey), this.keys.storedKey);
    if (!isRight || !this.#isKnown) throw failed();
    return `v=${hmac(this.keys.serverKey, message).toString('base64')}`;
  }
}
