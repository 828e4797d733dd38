import { fail, isId, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { deliveryNotFound, type Delivery } from '../domain/delivery.js';
import type { Deps } from '../usecase-deps.js';

/** Returns a delivery of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function findDelivery(
  { store }: Pick<Deps, 'store'>,
  { workspaceId }: Principal,
  id: string,
  session?: Transaction['session'],
): Promise<Delivery> {
  const delivery = isId(id, 'whd') ? await store.deliveries.byId(id, session) : null;
  if (!delivery) throw deliveryNotFound();
  if (delivery.workspaceId !== workspaceId) throw fail('FORBIDDEN', 'The delivery belongs to another workspace.');
  return delivery;
}
