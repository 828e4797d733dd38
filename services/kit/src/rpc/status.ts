import { Metadata, status as Status, type StatusObject } from '@grpc/grpc-js';
import { errorCatalogue, fail, type Fault, type FaultKind } from '../errors.js';
import { retryAfterSeconds } from '../retry-after.js';

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

/** Longest message and field that cross, in characters: trailers are bounded, and a fault must never fail itself. */
const MAX_TEXT = 1_000;

/** A fault as gRPC carries it: a status, and the rest in metadata (`details` may carry ASCII only). */
export function toStatus(fault: Fault): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const { code, message, field, retryAfter } = fault;
  const carried = { code, message: bounded(message), field: field && bounded(field), retryAfter };
  const metadata = new Metadata();
  metadata.set(FAULT_KEY, Buffer.from(JSON.stringify(carried)));
  return { code: statusOfKind[errorCatalogue[code].kind], details: code, metadata };
}

const bounded = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

/** Whether a failed call carries a fault that a service threw, as opposed to a failure on the way. */
export const carriesFault = (error: unknown): boolean =>
  ((error as Partial<StatusObject>).metadata?.get(FAULT_KEY).length ?? 0) > 0;

/** The fault that a failed call stands for; statuses that no service set become SERVICE_UNAVAILABLE, TIMEOUT or INTERNAL_ERROR. */
export function fromStatus(error: unknown): Fault {
  const { code, details, metadata } = error as Partial<StatusObject>;
  const carried = metadata?.get(FAULT_KEY)[0];
  if (carried !== undefined) {
    const fault = JSON.parse(carried.toString()) as Pick<Fault, 'code' | 'message' | 'field' | 'retryAfter'>;
    // A newer peer may know codes that this one does not: then its status decides, below.
    if (Object.hasOwn(errorCatalogue, fault.code)) {
      return fail(fault.code, fault.message, fault.field, retryAfterSeconds(fault.retryAfter));
    }
  }
  if (code === Status.DEADLINE_EXCEEDED) return fail('TIMEOUT', 'The request took too long; its outcome is unknown.');
  // Our services end every call with a status of theirs: a stream that was reset is one whose peer died in its midst.
  const isReset = code === Status.INTERNAL && details?.startsWith('Received RST_STREAM') === true;
  if (code === Status.UNAVAILABLE || code === Status.CANCELLED || isReset) {
    return fail('SERVICE_UNAVAILABLE', 'A part of the service is away; try again in a moment.');
  }
  return fail('INTERNAL_ERROR', 'An internal error occurred.');
}
