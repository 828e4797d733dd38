import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Runs work after all earlier work that shares one of its keys. The keys are the id of the changed resource, the id of
 * the link that an updated QR code leads to, and the workspace id if counts of tags may change. To prevent deadlocks,
 * the keys must be in this order: QR code, link, workspace.
 */
export const runInSequence = <T>(
  { inOrder }: Pick<ApiDeps, 'inOrder'>,
  keys: string[],
  work: () => Promise<T>,
): Promise<T> => keys.reduceRight((inner, key) => () => inOrder(key, inner), work)();
