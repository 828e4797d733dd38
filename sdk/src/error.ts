import type { components } from './generated/api.js';

/** Error codes of the API. New ones can be added at any time. */
export type ApiErrorCode = components['schemas']['Error']['code'];

/**
 * Error codes of the client itself:
 * - `CONNECTION_FAILED`: no complete response was received; `cause` is the error of `fetch`.
 * - `REQUEST_TIMED_OUT`: an attempt took longer than `timeoutMs`. A change may still have been applied.
 * - `UNEXPECTED_RESPONSE`: the response is not from the API (for example, a proxy's error page), or the cursor of
 *   a list does not advance.
 * - `INVALID_ARGUMENT`: a path parameter, the timeout, or a value that is sent as a header is missing or invalid (see
 *   `field`), or a webhook secret cannot be decoded. No request was sent.
 * - `INVALID_IMPORT`: a file to import is empty or not CSV, a column is duplicated or (in Tautan's own format) unknown,
 *   or no column holds the destination.
 * - `INVALID_SIGNATURE`: a webhook's id, signature or timestamp is missing or invalid, or its body is not JSON.
 */
export type ClientErrorCode =
  | 'CONNECTION_FAILED'
  | 'REQUEST_TIMED_OUT'
  | 'UNEXPECTED_RESPONSE'
  | 'INVALID_ARGUMENT'
  | 'INVALID_IMPORT'
  | 'INVALID_SIGNATURE';

export interface TautanErrorDetails {
  field?: string | undefined;
  requestId?: string | undefined;
  status?: number | undefined;
  response?: Response | undefined;
  cause?: unknown;
}

/** The error class of this package. Branch on `code`. */
export class TautanError extends Error {
  override readonly name = 'TautanError';
  readonly code: ApiErrorCode | ClientErrorCode | (string & {});
  /** The offending field as a dotted path, such as `links.3.url`, if the error concerns one. */
  readonly field: string | undefined;
  /** Id of the request, for the operators of the service. */
  readonly requestId: string | undefined;
  /** HTTP status. Undefined if there was no complete response. */
  readonly status: number | undefined;
  /** The response, whose body has been read. Undefined if there was no complete response. */
  readonly response: Response | undefined;

  constructor(code: TautanError['code'], message: string, details: TautanErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.field = details.field;
    this.requestId = details.requestId;
    this.status = details.status;
    this.response = details.response;
  }
}
