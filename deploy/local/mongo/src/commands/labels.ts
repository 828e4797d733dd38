import { endsTransaction } from '../sessions/enter.js';
import type { Context } from './context.js';

/** Errors after which the driver may retry a write. */
const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Errors after which the client may retry the whole transaction. */
const TRANSIENT = new Set([24, 112, 246, 251, 267]);

/** Returns the labels that the server adds to an error of this command. */
export function labelsFor({ name, body }: Context, code: number): string[] {
  const labels = concernLabelsFor({ name, body }, code);
  const isTransient = TRANSIENT.has(code) || (!endsTransaction(name) && RETRYABLE.has(code));
  if (body['autocommit'] === false && isTransient) labels.push('TransientTransactionError');
  return labels;
}

/** Returns the labels of a write concern error: the write itself was executed. */
export function concernLabelsFor({ name, body }: Pick<Context, 'name' | 'body'>, code: number): string[] {
  const retries = endsTransaction(name) || (body['autocommit'] === undefined && body['txnNumber'] !== undefined);
  return retries && RETRYABLE.has(code) ? ['RetryableWriteError'] : [];
}
