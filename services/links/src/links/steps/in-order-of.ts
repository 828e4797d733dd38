import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Runs work after all earlier work that shares one of its keys. The keys are the id of the changed resource, and the
 * ids of the resources whose counts change (the link of a QR code, the workspace for tags). To prevent deadlocks, the
 * keys must be in this order: QR code, link, workspace.
 */
export const inOrderOf = <T>(
  { inOrder }: Pick<ApiDeps, 'inOrder'>,
  keys: string[],
  work: () => Promise<T>,
): Promise<T> => keys.reduceRight((inner, key) => () => inOrder(key, inner), work)();
