import type { Document } from '../language/values.js';
import type { Context } from './context.js';

export interface Command {
  /** Options specific to this command. All others, except the generic ones, are rejected. */
  options?: readonly string[];
  /** Whether the command can run in a transaction. */
  transactional?: boolean;
  /** Whether the command writes, and therefore accepts a `writeConcern`. */
  write?: boolean;
  /** Whether the command accepts a `txnNumber` outside of transactions, so that the driver can retry it. */
  retryable?: boolean;
  /** Whether the command reads, and therefore accepts every level of `readConcern` (`snapshot` only in transactions). */
  read?: boolean;
  /** Whether the command runs on the `admin` database only. */
  admin?: boolean;
  /** Runs the command, after the request was checked against the properties above. Throws MongoError. */
  run(context: Context): Document | Promise<Document>;
}

export type CommandTable = Readonly<Record<string, Command>>;

export const ok = (fields: Document = {}): Document => ({ ...fields, ok: 1 });
