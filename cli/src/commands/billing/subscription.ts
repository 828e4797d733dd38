import type { Api } from '../../api/client.js';
import type { Subscription } from '../../api/records.js';
import { command } from '../../command.js';
import { details, printableOrNull } from '../../output/details.js';
import { subscriptionState } from '../../output/plan.js';
import { formatDateTime } from '../../output/times.js';

/** Returns the subscription of the workspace. Its status is `none` before the first payment. */
export const readSubscription = (api: Api): Promise<Subscription> => api.get('/billing/subscription');

export const showSubscription = command({
  name: 'subscription',
  summary: 'Show the current subscription',
  run: async ({ api, terminal: { print, printJson, style }, json, suggest }) => {
    const subscription = await readSubscription(api());
    if (json) return printJson(subscription);
    const { status, plan, currentPeriodEnd, pendingPlan } = subscription;
    if (status === 'none') return print(`No subscription. Buy a plan with: ${suggest('billing checkout pro')}`);
    const rows: [string, string | null][] = [
      ['Plan', printableOrNull(plan)],
      ['Status', subscriptionState(subscription)],
      ['Period ends', currentPeriodEnd && formatDateTime(currentPeriodEnd)],
      ['Next plan', printableOrNull(pendingPlan)],
    ];
    print(details(rows, style));
  },
});
