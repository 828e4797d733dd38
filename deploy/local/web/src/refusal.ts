/** An error response: HTTP status, error code and message. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The invalid form field. */
    readonly field?: string,
    /** Value of Retry-After in seconds. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
