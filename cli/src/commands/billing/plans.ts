import { apiClient } from '../../api/client.js';
import { command } from '../../command.js';
import { planTable } from '../../output/plan.js';

export const listPlans = command({
  name: 'plans',
  summary: 'Compare the plans (no sign-in required)',
  run: async ({ url, terminal: { print, printJson, style, width }, json, suggest }) => {
    const plans = await apiClient({ url }).get('/billing/plans');
    if (json) return printJson(plans);
    print(planTable(plans, style, width));
    print(`\nUpgrade with: ${suggest('billing checkout <plan>')}`);
  },
});
