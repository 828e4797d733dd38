import { faultCode, isFault, type ErrorCode } from '@tautan/kit';

/** Exit codes of failures. */
export const exitCodes = {
  /** A check failed, or the call was rejected. */
  failed: 1,
  /** The command line is invalid, or the called service does not serve the command. */
  usage: 2,
  /** No such workspace, key or dead letter. */
  notFound: 4,
  /** No service responds, or a part of the installation is unavailable. */
  unavailable: 5,
} as const;

export type Failure = keyof typeof exitCodes;

/** An error that ends a command, with a message and a hint. */
export class AdminError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
    readonly more: { code?: ErrorCode; field?: string | undefined; hint?: string | undefined } = {},
  ) {
    super(message);
    this.name = 'AdminError';
  }
}

/** Command-line names of RPC fields. */
const options: Record<string, string> = { ownerEmail: '--owner', externalId: '--external-id', limit: '--limit' };

const failures: Partial<Record<ErrorCode, Failure>> = {
  VALIDATION_ERROR: 'usage',
  NOT_FOUND: 'notFound',
  SERVICE_UNAVAILABLE: 'unavailable',
  TIMEOUT: 'unavailable',
  UPSTREAM_UNAVAILABLE: 'unavailable',
};

const hints: Partial<Record<ErrorCode, string>> = {
  SERVICE_UNAVAILABLE: "Run 'tautan-admin status' to see which connection is lost.",
  TIMEOUT: 'The change may have been applied. Check before you repeat the command.',
  INTERNAL_ERROR: 'See the log of the service for details.',
};

/** Converts an RPC error to the error that ends the command. Returns other errors unchanged. */
export function asAdminError(error: unknown): unknown {
  if (!isFault(error)) return error;
  const code = faultCode(error)!;
  const { field } = error;
  const named = field === undefined ? undefined : options[field];
  const message = named === undefined ? error.message : error.message.replaceAll(field!, named);
  return new AdminError(failures[code] ?? 'failed', message, { code, field: named ?? field, hint: hints[code] });
}
