import { command } from '../../command.js';
import { details } from '../../output/details.js';
import { planRows, subscriptionState } from '../../output/plan.js';
import { printable } from '../../output/text.js';
import { readSubscription } from './subscription.js';

export const showPlan = command({
  name: 'plan',
  summary: 'Show the current plan with its limits',
  run: async ({ api, terminal: { print, printJson, style }, json }) => {
    const client = api();
    const plan = await client.get('/billing/plan');
    if (json) return printJson(plan);
    const state = subscriptionState(await readSubscription(client));
    print(`${style.bold(`${printable(plan.name)} plan`)}\n`);
    print(details([...planRows(plan), ['Subscription', state]], style));
  },
});
