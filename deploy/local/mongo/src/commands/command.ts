import type { Document } from '../language/values.js';
import type { Reply } from '../wire/replies.js';
import type { Context } from './context.js';

/** A command of the server: what it is called, what may be said to it, and what it does. */
export interface Command {
  /** Its own options. Any other but the generic ones is refused. */
  options: readonly string[];
  /** May be used in a transaction. */
  transactional?: boolean;
  /** Writes, so that it takes a `writeConcern` (`write`), and may be retried under a `txnNumber` (`retryable`). */
  write?: boolean;
  retryable?: boolean;
  /** Takes a `readConcern`. */
  read?: boolean;
  /** May be used on the database `admin` only. */
  admin?: boolean;
  /** The given command was checked against the above. Throws MongoError. */
  run(context: Context): Reply | Promise<Reply>;
}

export type CommandTable = Readonly<Record<string, Command>>;

export const ok = (fields: Document = {}): Document => ({ ...fields, ok: 1 });
