/** Exit codes of failures. 0 means success. */
export const exitCodes = {
  /**
   * The API rejected the request (4xx) or part of it, the check of a domain or the delivery of a test event failed, or
   * the user declined a confirmation. Also the exit code of unexpected errors.
   */
  refused: 1,
  /** The command line is invalid. */
  usage: 2,
  /** Not signed in, or the credential was rejected. */
  signedOut: 3,
  /** No such resource. */
  notFound: 4,
  /** The service is unreachable or failed (5xx). */
  unavailable: 5,
  /** A file already exists, or a file or standard output cannot be written. */
  unwritten: 6,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type Failure = keyof typeof exitCodes;

const meanings: Record<Failure, string> = {
  refused: 'rejected completely or partly, check failed, or confirmation declined',
  usage: 'invalid command line',
  signedOut: 'not signed in',
  notFound: 'not found',
  unavailable: 'the service cannot be reached, or failed',
  unwritten: 'a file already exists, or the output cannot be written',
  interrupted: 'interrupted (Ctrl-C)',
};
const exitLine = (code: number, meaning: string): string => `\n  ${String(code).padEnd(5)}${meaning}`;

/** Help text of the exit codes. */
export const exitCodeHelp = `\n\nExit codes:${exitLine(0, 'success')}${Object.entries(exitCodes)
  .map(([failure, code]) => exitLine(code, meanings[failure as Failure]))
  .join('')}`;

/** An error that ends a command. */
export interface CliError extends Error {
  failure: Failure;
  /** Details printed after the message: field, code, request id. */
  facts: string[];
  /** Suggested action. */
  hint: string | undefined;
  /** Code and field of the API error. */
  code: string | undefined;
  field: string | undefined;
}

/** Optional properties of a `CliError`. */
type Details = Partial<Pick<CliError, 'hint' | 'facts' | 'code' | 'field'>>;

/** Returns an error that ends the command with the exit code of `failure`. */
export function fail(failure: Failure, message: string, more: Details = {}): CliError {
  const { facts = [], hint, code, field } = more;
  return Object.assign(new Error(message), { failure, facts, hint, code, field });
}

export const isCliError = (error: unknown): error is CliError =>
  error instanceof Error && 'failure' in error && String(error.failure) in exitCodes;

/** API error codes that, in response to a retry, do not show whether the earlier attempt was or will be processed. */
const inconclusiveCodes = new Set<string | undefined>(['IDEMPOTENCY_IN_PROGRESS', 'TOO_MANY_REQUESTS']);

/**
 * Returns the error of a failed batch with a hint about the remaining items. If the service was unavailable or the
 * batch was interrupted, or an earlier attempt may have succeeded, the hint says that the items may not have been
 * processed. Otherwise, it says that they were not processed. `items` names the items of this batch and of all later
 * batches, such as "Rows from line 1001 onward"; `processed` is a participle, such as "imported".
 */
export function withRemainder(error: unknown, items: string, processed: string): Error {
  if (!isCliError(error)) return error as Error;
  const certain = !['unavailable', 'interrupted'].includes(error.failure) && !inconclusiveCodes.has(error.code);
  const rest = `${items} ${certain ? `were not ${processed}` : `may not have been ${processed}`}.`;
  return fail(error.failure, error.message, { ...error, hint: error.hint ? `${rest} ${error.hint}` : rest });
}

/** Returns the error of an interrupt during a batch. For `items` and `processed` see `withRemainder`. */
export const interruptedBatch = (items: string, processed: string): Error =>
  withRemainder(fail('interrupted', 'The command was interrupted.'), items, processed);

export const signedOut = (message = 'You are not signed in.'): CliError =>
  fail('signedOut', message, { hint: 'Sign in with: tautan login' });

export const planLimitHint =
  "Run 'tautan billing usage' to see your limits, or 'tautan billing checkout <plan>' to upgrade.";
