import { faultCode } from '@tautan/kit';
import { collisionOf } from '../../store/index.js';

const faultsOfOneItem: unknown[] = ['VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN'];

/** Whether a transaction for several items may have failed because of one of them. */
export const isOfOneItem = (error: unknown): boolean =>
  collisionOf(error) !== undefined || faultsOfOneItem.includes(faultCode(error));
