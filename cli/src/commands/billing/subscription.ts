import type { Api } from '../../api/client.js';
import type { Subscription } from '../../api/records.js';

/** Returns the subscription of the workspace; of status `none` without one. */
export const readSubscription = (api: Api): Promise<Subscription> => api.get('/billing/subscription');
