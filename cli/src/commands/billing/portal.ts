import { command } from '../../command.js';
import { openOption, showPage } from './payment-page.js';

export const openPortal = command<{ open?: boolean }>({
  name: 'portal',
  summary: 'Print the URL of the customer portal (payment method, invoices)',
  options: [openOption()],
  run: async (context, { open }) => {
    const data = await context.api().post('/billing/portal', { body: {} });
    await showPage(context, { record: data, url: data.portalUrl, expiresAt: data.expiresAt, open });
  },
});
