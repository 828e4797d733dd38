import type { Api } from '../../api/client.js';
import type { Subscription } from '../../api/billing-records.js';

/** Returns the subscription of the workspace; of status `none` without one. */
export const readSubscription = async (api: Api): Promise<Subscription> =>
  (await api.call<Subscription>({ method: 'GET', path: '/billing/subscription' })).data;
