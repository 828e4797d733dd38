import { fail, isId, newId, type IdPrefix } from '@tautan/kit';

/** The id of what an operation makes: the same for every repetition of it. Throws VALIDATION_ERROR naming `operationId`. */
export function operationIdOf(prefix: IdPrefix, operationId: string | undefined): string {
  if (operationId === undefined) return newId(prefix);
  const id = `${prefix}_${operationId}`;
  if (isId(id, prefix)) return id;
  throw fail('VALIDATION_ERROR', 'operationId must be a ULID.', 'operationId');
}
