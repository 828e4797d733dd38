import { fail, isId, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { unknownDelivery, type Delivery } from '../domain/delivery.js';
import type { Deps } from './deps.js';

/** Returns a delivery of the workspace. Throws NOT_FOUND, or FORBIDDEN when it is another workspace's. */
export async function findDelivery(
  { store }: Pick<Deps, 'store'>,
  { workspaceId }: Principal,
  id: string,
  session?: Transaction['session'],
): Promise<Delivery> {
  const delivery = isId(id, 'whd') ? await store.deliveries.byId(id, session) : null;
  if (!delivery) throw unknownDelivery();
  if (delivery.workspaceId !== workspaceId) throw fail('FORBIDDEN', 'The delivery belongs to another workspace.');
  return delivery;
}
