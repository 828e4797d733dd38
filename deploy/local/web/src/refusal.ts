/** A request that is answered with an error: its HTTP status, a code for programs, a sentence for people. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The form field at fault. */
    readonly field?: string,
    /** Seconds after which to try again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
