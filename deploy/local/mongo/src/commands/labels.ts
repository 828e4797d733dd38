import type { Context } from './context.js';

/** Errors after which the driver may do a write again. */
const retryable = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Errors after which the client may do the whole transaction again. */
const transient = new Set([24, 112, 246, 267]);
const noSuchTransaction = 251;

type Named = Pick<Context, 'name' | 'body'>;

const endsTransaction = (name: string): boolean => name === 'commitTransaction' || name === 'abortTransaction';

/** The labels that the server gives an error of this command. */
export function labelsFor(context: Named, code: number): string[] {
  const ends = endsTransaction(context.name);
  const labels = concernLabelsFor(context, code);
  if (context.body['autocommit'] === false) {
    const again = code === noSuchTransaction || (!ends && retryable.has(code));
    if (transient.has(code) || again) labels.push('TransientTransactionError');
  }
  return labels;
}

/** The labels of an error that is a write concern's: the write itself has happened. */
export function concernLabelsFor({ name, body }: Named, code: number): string[] {
  const retries = endsTransaction(name) || (body['autocommit'] === undefined && body['txnNumber'] !== undefined);
  return retries && retryable.has(code) ? ['RetryableWriteError'] : [];
}
