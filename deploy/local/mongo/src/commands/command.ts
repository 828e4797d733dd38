import type { Document } from '../language/values.js';
import type { Context } from './context.js';

export interface Command {
  /** Options specific to this command. All others, except the generic ones, are rejected. */
  options?: readonly string[];
  transactional?: boolean;
  /** Accepts a `writeConcern` (`write`), and a `txnNumber` for retries (`retryable`). */
  write?: boolean;
  retryable?: boolean;
  read?: boolean;
  admin?: boolean;
  /** Runs the command after the properties above were checked. Throws MongoError. */
  run(context: Context): Document | Promise<Document>;
}

export type CommandTable = Readonly<Record<string, Command>>;

export const ok = (fields: Document = {}): Document => ({ ...fields, ok: 1 });
