import type { Principal } from '@tautan/kit';
import { withoutBodies, type Delivery } from '../domain/delivery.js';
import { mayManage } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { findDelivery } from '../steps/find-delivery.js';

/**
 * Returns a delivery with its attempt log. Members and viewers receive it without request and response bodies. Throws
 * NOT_FOUND, or FORBIDDEN if it belongs to another workspace.
 */
export async function getDelivery(deps: Pick<Deps, 'store'>, by: Principal, { id }: { id: string }): Promise<Delivery> {
  const delivery = await findDelivery(deps, by, id);
  return mayManage(by) ? delivery : withoutBodies(delivery);
}
