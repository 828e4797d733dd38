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

/** The catalog of the API's error codes with their kinds, shared by services, gateway and documentation. */
export const errorCatalog = {
  VALIDATION_ERROR: { kind: 'invalid', description: 'Invalid input. `field` names the invalid field.' },
  UNAUTHENTICATED: { kind: 'unauthenticated', description: 'Credentials are missing or invalid.' },
  TOKEN_EXPIRED: { kind: 'unauthenticated', description: 'The access token has expired. Refresh it.' },
  PLAN_LIMIT_EXCEEDED: {
    kind: 'payment_required',
    description: 'A limit of the plan is exceeded. `field` names the limit.',
  },
  FORBIDDEN: {
    kind: 'forbidden',
    description: 'The credential has no permission for this, or the resource belongs to another workspace.',
  },
  PERSON_ONLY: {
    kind: 'forbidden',
    description: 'The operation requires user credentials; API keys are not accepted.',
  },
  NOT_FOUND: { kind: 'not_found', description: 'No such resource or path.' },
  METHOD_NOT_ALLOWED: { kind: 'method_not_allowed', description: 'The path does not support this method.' },
  SLUG_TAKEN: { kind: 'conflict', description: 'The slug is in use on this domain.' },
  DOMAIN_TAKEN: {
    kind: 'conflict',
    description: 'The domain was already added to this workspace, or another workspace has verified it.',
  },
  DOMAIN_IN_USE: { kind: 'conflict', description: 'The domain has links. Delete them first.' },
  ALREADY_MEMBER: { kind: 'conflict', description: 'The user is already a member, or already invited.' },
  TAG_EXISTS: { kind: 'conflict', description: 'A tag with this name already exists.' },
  ENDPOINT_EXISTS: { kind: 'conflict', description: 'A webhook endpoint with this URL already exists.' },
  ENDPOINT_DISABLED: { kind: 'conflict', description: 'The webhook endpoint is disabled or deleted.' },
  ALREADY_QUEUED: { kind: 'conflict', description: 'The delivery is already waiting for an attempt.' },
  SUBSCRIPTION_STATE: { kind: 'conflict', description: 'Not possible in the current state of the subscription.' },
  IDEMPOTENCY_IN_PROGRESS: { kind: 'conflict', description: 'The request with this Idempotency-Key is still running.' },
  IDEMPOTENCY_MISMATCH: { kind: 'mismatch', description: 'The Idempotency-Key was used with another request.' },
  PAYLOAD_TOO_LARGE: { kind: 'too_large', description: 'The body is larger than the endpoint accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported_media', description: 'The body is not of an accepted type.' },
  TOO_MANY_REQUESTS: { kind: 'rate_limited', description: 'Rate limit exceeded. Retry after `Retry-After` seconds.' },
  INTERNAL_ERROR: { kind: 'internal', description: 'An internal error occurred.' },
  UPSTREAM_UNAVAILABLE: { kind: 'upstream', description: 'An external provider is unavailable.' },
  SERVICE_UNAVAILABLE: {
    kind: 'unavailable',
    description: 'The service is temporarily unavailable. Try again in a moment.',
  },
  TIMEOUT: { kind: 'timeout', description: 'The request timed out. The change may still have been applied.' },
} as const satisfies Record<string, { kind: FaultKind; description: string }>;

export type ErrorCode = keyof typeof errorCatalog;

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
    /**
     * Set if this installation does not offer the operation. The request metrics have it as the value of the label
     * `code`, so that alerts can ignore these faults.
     */
    readonly reason?: 'NOT_CONFIGURED',
  ) {
    super(message);
    this.name = 'Fault';
  }
}

/** Creates a fault: `throw fail('SLUG_TAKEN', 'The slug is in use.', 'slug')`. */
export const fail = (code: ErrorCode, message: string, field?: string, retryAfter?: number): Fault =>
  new Fault(code, message, field, retryAfter);

/** Creates the fault of an operation that needs a component which is not configured. */
export const notConfigured = (message: string): Fault =>
  new Fault('SERVICE_UNAVAILABLE', message, undefined, undefined, 'NOT_CONFIGURED');

/** Returns whether an error is a fault. Checks the code, so that it works across copies of this module. */
export const isFault = (error: unknown): error is Fault =>
  error instanceof Error && error.name === 'Fault' && ((error as Partial<Fault>).code ?? '') in errorCatalog;

/** Returns the code of a fault; undefined for any other error. */
export function faultCode(error: unknown): ErrorCode | undefined {
  return isFault(error) ? error.code : undefined;
}
