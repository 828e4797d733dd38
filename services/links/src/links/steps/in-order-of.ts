import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Runs work after all earlier work of each key: the id of the changed resource, and of the resources whose counts
 * change (the link of a QR code, the workspace for tags). To prevent deadlocks, keys must be in this order: QR code,
 * link, workspace.
 */
export const inOrderOf = <T>(
  { inOrder }: Pick<ApiDeps, 'inOrder'>,
  keys: string[],
  work: () => Promise<T>,
): Promise<T> => keys.reduceRight((inner, key) => () => inOrder(key, inner), work)();
