import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { domainArgument, findDomain } from './find.js';

export const deleteDomain = command<{ yes?: boolean }>({
  name: 'delete',
  summary: 'Delete a domain that has no links',
  args: [domainArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, domain } = await findDomain(api, wanted);
    await confirm(context, `Delete ${printable(domain)}?`, sure);
    const data = await api.delete('/domains/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Deleted ${printable(domain)}`);
  },
});
