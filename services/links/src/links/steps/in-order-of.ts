import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Runs work after all earlier work of each key. Changes of one resource give its id, and what they count besides: the link of a
 * QR code, the workspace for its tags. To stay free of deadlocks, keys are in this order: QR code, link, workspace.
 */
export const inOrderOf = <T>(
  { inOrder }: Pick<ApiDeps, 'inOrder'>,
  keys: string[],
  work: () => Promise<T>,
): Promise<T> => keys.reduceRight((inner, key) => () => inOrder(key, inner), work)();
