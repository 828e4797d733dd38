import type { MethodDefinition } from '@grpc/proto-loader';
import type { ServiceDefinition } from '@grpc/grpc-js';

/**
 * Returns whether a failed call of a method can be retried. It can if the protobuf file declares an `idempotency_level`
 * for the method.
 */
export function isRepeatable(method: ServiceDefinition[string]): boolean {
  const { options } = method as MethodDefinition<object, object>;
  return `${options.idempotency_level}` !== 'IDEMPOTENCY_UNKNOWN';
}
