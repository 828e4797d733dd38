import { faultCode } from '@tautan/kit';
import { collisionOf } from '../../store/index.js';

const faultsOfOneItem: unknown[] = ['VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN'];

/** Returns whether a transaction for several items may have failed because of one of them. */
export const isItemError = (error: unknown): boolean =>
  collisionOf(error) !== undefined || faultsOfOneItem.includes(faultCode(error));
