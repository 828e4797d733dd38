import type { Context } from './context.js';

/** Errors after which the driver may do a write again. */
const retryable = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Errors after which the client may do the whole transaction again. */
const transient = new Set([24, 112, 246]);
const noSuchTransaction = 251;

export const isRetryable = (code: number): boolean => retryable.has(code);

/** The labels that the server gives an error of this command. */
export function labelsFor({ name, body, retryNumber }: Pick<Context, 'name' | 'body' | 'retryNumber'>, code: number): string[] {
  const ends = name === 'commitTransaction' || name === 'abortTransaction';
  const labels: string[] = [];
  if (body['autocommit'] === false) {
    const again = ends ? code === noSuchTransaction : code === noSuchTransaction || retryable.has(code);
    if (transient.has(code) || again) labels.push('TransientTransactionError');
  }
  const retries = ends || (body['autocommit'] === undefined && (retryNumber !== undefined || body['txnNumber'] !== undefined));
  if (retries && retryable.has(code)) labels.push('RetryableWriteError');
  return labels;
}
