import { Argument, Option } from 'commander';
import { command } from '../../command.js';
import { openOption, showPage } from './payment-page.js';

interface Options {
  currency?: 'IDR' | 'USD';
  open?: boolean;
}

export const checkout = command<Options>({
  name: 'checkout',
  summary: 'Print the URL of a checkout page for a higher plan',
  args: [new Argument('<plan>', 'name of the plan; see: tautan billing plans')],
  options: [new Option('--currency <code>', 'currency to pay in').choices(['IDR', 'USD']), openOption()],
  examples: ['billing checkout pro --open', 'billing checkout business --currency USD'],
  run: async (context, { currency, open }, plan) => {
    // The API rejects unknown plans.
    const body = { plan: plan.toUpperCase() as 'PRO', ...(currency && { currency }) };
    const data = await context.api().post('/billing/checkout', { body });
    await showPage(context, { record: data, url: data.checkoutUrl, expiresAt: data.expiresAt, open });
  },
});
