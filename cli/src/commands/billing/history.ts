import { command } from '../../command.js';
import { invoiceTable } from '../../output/invoice.js';
import { noteMore, pageOptions, readPages, type PageOptions } from '../pages.js';

export const listHistory = command<PageOptions>({
  name: 'history',
  summary: 'List invoices, newest first',
  options: pageOptions('list all invoices'),
  run: async ({ api, terminal, json }, options) => {
    const client = api();
    const { records, hasMore } = await readPages((query) => client.page('/billing/history', { query }), options);
    if (json) return terminal.printJson(records);
    if (records.length === 0) return terminal.print('No invoices yet.');
    terminal.print(invoiceTable(records, terminal.style, terminal.width));
    if (hasMore) noteMore(terminal, records.length);
  },
});
