import type { MethodDefinition } from '@grpc/proto-loader';
import type { ServiceDefinition } from '@grpc/grpc-js';

/** Returns whether a method can be called twice, by its `idempotency_level` in the protobuf file. */
export function isRepeatable(method: ServiceDefinition[string]): boolean {
  const { options } = method as MethodDefinition<object, object>;
  return `${options.idempotency_level}` !== 'IDEMPOTENCY_UNKNOWN';
}
