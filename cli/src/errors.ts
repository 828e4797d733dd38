/** How the command ends, by what went wrong. 0: all went well. */
export const exitCodes = {
  /** The API refused the request (4xx), or some rows of an import failed. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Nobody is signed in, or the credential is not accepted. */
  signedOut: 3,
  /** No such resource. */
  notFound: 4,
  /** The service cannot be reached, or failed itself (5xx). */
  unavailable: 5,
  /** A file, or standard output, cannot be written. */
  unwritten: 6,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type Failure = keyof typeof exitCodes;

const meanings: Record<Failure, string> = {
  refused: 'rejected by the API, completely or in part',
  usage: 'wrong command line',
  signedOut: 'not signed in',
  notFound: 'not found',
  unavailable: 'the service cannot be reached, or failed',
  unwritten: 'a file exists already or cannot be written',
  interrupted: 'interrupted (Ctrl-C)',
};
const exitLine = (code: number, meaning: string): string => `\n  ${String(code).padEnd(5)}${meaning}`;

/** The exit codes, for the help. */
export const exitCodeHelp = `\n\nExit codes:${exitLine(0, 'success')}${Object.entries(exitCodes)
  .map(([failure, code]) => exitLine(code, meanings[failure as Failure]))
  .join('')}`;

/** What ends a command: a sentence for the person, and what may help. */
export interface CliError extends Error {
  failure: Failure;
  /** Facts beside the sentence: field, code, request id. */
  facts: string[];
  /** What to do about it. */
  hint: string | undefined;
  /** Code and field of the API's refusal. */
  code: string | undefined;
  field: string | undefined;
}

/** What an error says beside its sentence. */
type More = Partial<Pick<CliError, 'hint' | 'facts' | 'code' | 'field'>>;

/** Builds the error that ends a command with the exit code of `failure`. */
export function fail(failure: Failure, message: string, more: More = {}): CliError {
  const { facts = [], hint, code, field } = more;
  return Object.assign(new Error(message), { failure, facts, hint, code, field });
}

export const isCliError = (error: unknown): error is CliError =>
  error instanceof Error && 'failure' in error && String(error.failure) in exitCodes;

export const signedOut = (message = 'You are not signed in.'): CliError =>
  fail('signedOut', message, { hint: 'Sign in with: tautan login' });

export const planLimitHint =
  "Run 'tautan billing usage' to see your limits, or 'tautan billing checkout <plan>' to upgrade.";
