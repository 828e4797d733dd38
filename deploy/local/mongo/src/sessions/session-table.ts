import type { Binary } from 'bson';
import { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { isDocument, type Document } from '../language/values.js';
import { recordsOf } from '../storage/catalog.js';
import type { Store } from '../storage/store.js';
import { Session, type Statements } from './session.js';

/** As `hello` announces it: sessions unused for so long are forgotten. */
export const sessionMinutes = 30;

/** The server's default. */
const defaultLifetimeSeconds = 60;

/** All sessions. The file has what they keep for retries. */
export class SessionTable {
  readonly #sessions = new Map<string, Session>();
  #lifetimeSeconds = defaultLifetimeSeconds;

  /** Throws BadValue for a limit that `transactionLifetimeLimitSeconds` does not accept. */
  constructor(transactionLifetimeLimitSeconds = defaultLifetimeSeconds) {
    this.transactionLifetimeLimitSeconds = transactionLifetimeLimitSeconds;
  }

  /** Maximum lifetime of a transaction, seconds. A change applies to transactions that start afterwards. */
  get transactionLifetimeLimitSeconds(): number {
    return this.#lifetimeSeconds;
  }

  set transactionLifetimeLimitSeconds(seconds: number) {
    if (!Number.isInteger(seconds) || seconds < 1)
      fail(
        'BadValue',
        `Invalid value for parameter transactionLifetimeLimitSeconds: ${seconds} is not a whole number greater than or equal to 1`,
      );
    this.#lifetimeSeconds = seconds;
  }

  /** The session of a command's `lsid`, made when it is new. */
  of(lsid: unknown): Session {
    const key = keyOf(lsid);
    let session = this.#sessions.get(key);
    if (!session) this.#sessions.set(key, (session = new Session(key, lsid as Document)));
    session.lastUse = performance.now();
    return session;
  }

  /** Ends sessions as `endSessions` does: open transactions abort, what was kept for retries is forgotten. */
  end(lsid: unknown, store: Store): void {
    const session = this.#sessions.get(keyOf(lsid));
    if (!session) return;
    abort(session, store);
    this.#delete(session, store);
  }

  /**
   * Aborts transactions that exceeded their lifetime, and deletes sessions unused for half an hour. A transaction whose
   * client disconnected stays open until then, as on a server.
   */
  sweep(store: Store, now = performance.now()): void {
    for (const session of this.#sessions.values()) {
      if (session.unit && now >= session.expiresAt) abort(session, store);
      if (!session.unit && now - session.lastUse > sessionMinutes * 60_000) this.#delete(session, store);
    }
  }

  abortAll(store: Store): void {
    for (const session of this.#sessions.values()) abort(session, store);
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Takes over what the file has about sessions. */
  load({ database }: Store): void {
    for (const key of recordsOf(database.latest, 'session')) {
      const { lsid, txnNumber, committed, statements } = new Doc(database.latest.get(key)!).decoded;
      const session = this.of(lsid);
      session.turnTo(txnNumber as bigint);
      session.isStored = true;
      session.statements = statements as Statements[];
      if (committed === true) session.markCommitted();
    }
  }

  /** Ends all transactions, which the store has aborted, and takes over again what the file has. */
  reload(store: Store): void {
    for (const session of this.#sessions.values()) {
      const isOpen = session.unit !== undefined;
      session.turnTo(session.txnNumber);
      if (isOpen) session.state = 'aborted';
    }
    this.load(store);
  }

  #delete(session: Session, store: Store): void {
    if (session.isStored) store.autocommit.remove(session.storageKey);
    this.#sessions.delete(session.key);
  }
}

/** Aborts the open transaction of a session, if there is one. */
export function abort(session: Session, store: Store): void {
  if (!session.unit) return;
  const { unit } = session;
  session.unit = undefined;
  session.state = 'aborted';
  store.abort(unit);
}

function keyOf(lsid: unknown): string {
  const id = isDocument(lsid) ? (lsid['id'] as Binary | undefined) : undefined;
  if (id?._bsontype !== 'Binary' || id.position !== 16) fail('TypeMismatch', "'lsid.id' must be a UUID");
  return Buffer.from(id.buffer.subarray(0, 16)).toString('latin1');
}
