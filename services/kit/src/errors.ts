/** Kind of an error, independent of the transport. */
export type FaultKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'mismatch'
  | 'too_large'
  | 'unsupported_media'
  | 'rate_limited'
  | 'internal'
  | 'upstream'
  | 'unavailable'
  | 'timeout';

/** The catalogue of the API's error codes with their kinds, shared by services, gateway and documentation. */
export const errorCatalogue = {
  VALIDATION_ERROR: { kind: 'invalid', description: 'Invalid input; `field` names the offending field.' },
  UNAUTHENTICATED: { kind: 'unauthenticated', description: 'Credentials are missing or invalid.' },
  TOKEN_EXPIRED: { kind: 'unauthenticated', description: 'The access token is past its lifetime; refresh it.' },
  PLAN_LIMIT_EXCEEDED: { kind: 'payment_required', description: 'Beyond a limit of the plan; `field` names it.' },
  FORBIDDEN: { kind: 'forbidden', description: 'Valid credentials without permission, or another workspace.' },
  PERSON_ONLY: { kind: 'forbidden', description: 'An API key was used on an operation for people.' },
  NOT_FOUND: { kind: 'not_found', description: 'No such resource or path.' },
  METHOD_NOT_ALLOWED: { kind: 'method_not_allowed', description: 'The path exists, but not with this method.' },
  SLUG_TAKEN: { kind: 'conflict', description: 'The slug is in use on this domain.' },
  DOMAIN_TAKEN: { kind: 'conflict', description: 'The domain is here already, or verified by another workspace.' },
  DOMAIN_IN_USE: { kind: 'conflict', description: 'The domain still has links; delete them first.' },
  ALREADY_MEMBER: { kind: 'conflict', description: 'The person is a member, or invited.' },
  TAG_EXISTS: { kind: 'conflict', description: 'A tag of this name exists.' },
  ENDPOINT_EXISTS: { kind: 'conflict', description: 'A webhook endpoint of this URL exists.' },
  ENDPOINT_DISABLED: { kind: 'conflict', description: 'The webhook endpoint is off; resume it first.' },
  ALREADY_QUEUED: { kind: 'conflict', description: 'The delivery is already waiting for an attempt.' },
  SUBSCRIPTION_STATE: { kind: 'conflict', description: 'Not possible as the subscription stands.' },
  IDEMPOTENCY_IN_PROGRESS: { kind: 'conflict', description: 'The request with this Idempotency-Key is still running.' },
  IDEMPOTENCY_MISMATCH: { kind: 'mismatch', description: 'The Idempotency-Key was used with another request.' },
  PAYLOAD_TOO_LARGE: { kind: 'too_large', description: 'The body is larger than the endpoint accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported_media', description: 'The body is not of an accepted type.' },
  TOO_MANY_REQUESTS: { kind: 'rate_limited', description: 'Rate limit hit; wait for `Retry-After` seconds.' },
  INTERNAL_ERROR: { kind: 'internal', description: 'A defect on our side.' },
  UPSTREAM_UNAVAILABLE: { kind: 'upstream', description: 'An outside provider failed.' },
  SERVICE_UNAVAILABLE: { kind: 'unavailable', description: 'A part of the service is away; try again.' },
  TIMEOUT: { kind: 'timeout', description: 'The deadline passed; the outcome is unknown.' },
} as const satisfies Record<string, { kind: FaultKind; description: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** HTTP status codes by kind. */
export const httpStatus: Record<FaultKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  mismatch: 422,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
};

/** An error that is reported to API clients. Distinguish faults by `code`, not by class or message. */
export class Fault extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field?: string,
    /** Seconds until a retry may succeed, for the Retry-After header; undefined if unknown. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'Fault';
  }
}

/** Creates a fault: `throw fail('SLUG_TAKEN', 'The slug is in use.', 'slug')`. */
export const fail = (code: ErrorCode, message: string, field?: string, retryAfter?: number): Fault =>
  new Fault(code, message, field, retryAfter);

/** Returns whether an error is a fault. Checks the code, so that it works across copies of this module. */
export const isFault = (error: unknown): error is Fault =>
  error instanceof Error && error.name === 'Fault' && ((error as Partial<Fault>).code ?? '') in errorCatalogue;

/** Returns the code of a fault; undefined for any other error. */
export function faultCode(error: unknown): ErrorCode | undefined {
  return isFault(error) ? error.code : undefined;
}
