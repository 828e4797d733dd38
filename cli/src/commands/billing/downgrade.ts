import { Argument } from 'commander';
import { command } from '../../command.js';
import { subscriptionState } from '../../output/plan.js';
import { printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';

export const downgrade = command<{ yes?: boolean }>({
  name: 'downgrade',
  summary: 'Change to a lower plan at the end of the period',
  args: [new Argument('<plan>', 'name of the plan; see: tautan billing plans')],
  options: [yes()],
  examples: ['billing downgrade pro'],
  run: async (context, { yes: sure }, name) => {
    const { terminal, json, suggest } = context;
    // The API rejects unknown plans.
    const plan = name.toUpperCase() as 'PRO';
    await confirm(context, `Change to the ${printable(plan)} plan at the end of the period?`, sure);
    const data = await context.api().post('/billing/downgrade', { body: { plan } });
    if (json) return terminal.printJson(data);
    const { print, style } = terminal;
    print(`${style.green('✓')} ${printable(data.plan)} subscription: ${subscriptionState(data)}`);
    print(`Undo with: ${suggest('billing resume')}`);
  },
});
