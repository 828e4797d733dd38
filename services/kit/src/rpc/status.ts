import { Metadata, status as Status, type StatusObject } from '@grpc/grpc-js';
import { errorCatalog, fail, notConfigured, type Fault, type FaultKind } from '../errors.js';
import { retryAfterSeconds } from '../network/retry-after.js';

const statusOfKind: Record<FaultKind, Status> = {
  invalid: Status.INVALID_ARGUMENT,
  unauthenticated: Status.UNAUTHENTICATED,
  payment_required: Status.RESOURCE_EXHAUSTED,
  forbidden: Status.PERMISSION_DENIED,
  not_found: Status.NOT_FOUND,
  method_not_allowed: Status.UNIMPLEMENTED,
  conflict: Status.ALREADY_EXISTS,
  mismatch: Status.FAILED_PRECONDITION,
  too_large: Status.OUT_OF_RANGE,
  unsupported_media: Status.INVALID_ARGUMENT,
  rate_limited: Status.RESOURCE_EXHAUSTED,
  internal: Status.INTERNAL,
  upstream: Status.UNAVAILABLE,
  unavailable: Status.UNAVAILABLE,
  timeout: Status.DEADLINE_EXCEEDED,
};

const FAULT_KEY = 'fault-bin';

/** Maximum number of characters of the message and of the field. Trailers that are too large cannot be sent. */
const MAX_TEXT = 1_000;

/** Converts a fault to a gRPC status. The metadata carries the fault; `details` is only its code. */
export function toStatus(fault: Fault): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const { code, message, field, retryAfter, reason } = fault;
  const carried = { code, message: bounded(message), field: field && bounded(field), retryAfter, reason };
  const metadata = new Metadata();
  metadata.set(FAULT_KEY, Buffer.from(JSON.stringify(carried)));
  return { code: statusOfKind[errorCatalog[code].kind], details: code, metadata };
}

const bounded = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

/** Returns whether a failed call carries a fault thrown by a service, as opposed to a transport error. */
export const carriesFault = (error: unknown): boolean =>
  ((error as Partial<StatusObject>).metadata?.get(FAULT_KEY).length ?? 0) > 0;

/** Converts a failed call to a fault. Transport errors become SERVICE_UNAVAILABLE, TIMEOUT or INTERNAL_ERROR. */
export function fromStatus(error: unknown): Fault {
  const { code, details, metadata } = error as Partial<StatusObject>;
  const carried = metadata?.get(FAULT_KEY)[0];
  if (carried !== undefined) {
    const fault = JSON.parse(carried.toString()) as Pick<Fault, 'code' | 'message' | 'field' | 'retryAfter' | 'reason'>;
    if (fault.code === 'SERVICE_UNAVAILABLE' && fault.reason === 'NOT_CONFIGURED') return notConfigured(fault.message);
    // A newer peer may send an unknown code. The fault is then derived from the gRPC status, below.
    if (Object.hasOwn(errorCatalog, fault.code)) {
      return fail(fault.code, fault.message, fault.field, retryAfterSeconds(fault.retryAfter));
    }
  }
  if (code === Status.DEADLINE_EXCEEDED)
    return fail('TIMEOUT', 'The request timed out. The change may still have been applied.');
  // Services end every call with a status, so a reset stream means that the peer crashed during the call.
  const isReset = code === Status.INTERNAL && details?.startsWith('Received RST_STREAM') === true;
  if (code === Status.UNAVAILABLE || code === Status.CANCELLED || isReset) {
    return fail('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable. Try again in a moment.');
  }
  return fail('INTERNAL_ERROR', 'An internal error occurred.');
}
