import { command } from '../../command.js';
import { counted, printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findLink } from '../find.js';
import { domainOption, linkArgument } from './fields.js';

export const deleteLink = command<{ domain?: string; yes?: boolean }>({
  name: 'delete',
  summary: 'Delete a link',
  args: [linkArgument()],
  options: [domainOption(), yes()],
  examples: ['links delete spring', 'links delete spring --yes'],
  run: async (context, { domain, yes: sure }, idOrSlug) => {
    const { terminal, json } = context;
    const api = context.api();
    const link = await findLink(api, idOrSlug, domain);
    const what = `${printable(link.shortUrl)} (${counted(link.clickCount, 'click')})`;
    await confirm(context, `Delete ${what}? It stops redirecting immediately.`, sure);
    const data = await api.delete('/links/{id}', { path: { id: link.id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Deleted ${printable(link.shortUrl)}`);
  },
});
