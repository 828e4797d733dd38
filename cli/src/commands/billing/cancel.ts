import type { Subscription } from '../../api/records.js';
import { command } from '../../command.js';
import { subscriptionState } from '../../output/plan.js';
import { printable } from '../../output/text.js';
import { dateOf } from '../../output/times.js';
import { confirm, yes } from '../confirm.js';
import { readSubscription } from './subscription.js';

export const cancelSubscription = command<{ yes?: boolean }>({
  name: 'cancel',
  summary: 'Cancel the subscription at the end of its period',
  options: [yes()],
  run: async (context, { yes: sure }) => {
    const { terminal, json, suggest } = context;
    const api = context.api();
    await confirm(context, question(await readSubscription(api)), sure);
    const data = await api.post('/billing/cancel');
    if (json) return terminal.printJson(data);
    const { print, style } = terminal;
    print(`${style.green('✓')} ${printable(data.plan)} subscription: ${subscriptionState(data)}`);
    print(`Undo with: ${suggest('billing resume')}`);
  },
});

function question({ plan, status, currentPeriodEnd }: Subscription): string {
  // The API refuses to cancel a subscription that has ended.
  if (currentPeriodEnd === null || status === 'canceled') return 'Cancel the subscription?';
  return `Cancel the ${printable(plan)} subscription? It stays active until ${dateOf(currentPeriodEnd)}.`;
}
