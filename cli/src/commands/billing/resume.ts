import { command } from '../../command.js';
import { subscriptionState } from '../../output/plan.js';
import { printable } from '../../output/text.js';

export const resumeSubscription = command({
  name: 'resume',
  summary: 'Undo a cancellation or downgrade that has not taken effect yet',
  run: async ({ api, terminal: { print, printJson, style }, json }) => {
    const data = await api().post('/billing/resume');
    if (json) return printJson(data);
    print(`${style.green('✓')} ${printable(data.plan)} subscription: ${subscriptionState(data)}`);
  },
});
