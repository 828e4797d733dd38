import { Metadata, status as Status, type StatusObject } from '@grpc/grpc-js';
import { errorCatalogue, fail, type Fault, type ErrorCode, type FaultKind } from '../errors.js';

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

/** A fault as gRPC carries it: status, message, and code with field in metadata. */
export function toStatus(fault: Fault): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const metadata = new Metadata();
  metadata.set(FAULT_KEY, Buffer.from(JSON.stringify({ code: fault.code, field: fault.field })));
  return { code: statusOfKind[errorCatalogue[fault.code].kind], details: fault.message, metadata };
}

/** The fault that a failed call stands for; statuses that no service set become SERVICE_UNAVAILABLE, TIMEOUT or INTERNAL_ERROR. */
export function fromStatus(error: unknown): Fault {
  const { code, details, metadata } = error as Partial<StatusObject>;
  const carried = metadata?.get(FAULT_KEY)[0];
  if (carried !== undefined) {
    const { code: name, field } = JSON.parse(carried.toString()) as { code: ErrorCode; field?: string };
    if (name in errorCatalogue) return fail(name, details ?? '', field);
  }
  if (code === Status.DEADLINE_EXCEEDED) return fail('TIMEOUT', 'The request took too long; its outcome is unknown.');
  if (code === Status.UNAVAILABLE || code === Status.CANCELLED) {
    return fail('SERVICE_UNAVAILABLE', 'A part of the service is away; try again in a moment.');
  }
  return fail('INTERNAL_ERROR', 'An internal error occurred.');
}
