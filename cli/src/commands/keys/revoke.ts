import { Argument } from 'commander';
import type { ApiKey, Deleted } from '../../api/records.js';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findNamed } from '../find.js';

export const revokeKey = command<{ yes?: boolean }>({
  name: 'revoke',
  summary: 'End an API key at once',
  args: [new Argument('<key>', 'label or id')],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, label, prefix } = await findNamed<ApiKey>(api, '/auth/api-keys', {
      wanted: wanted,
      name: (key) => key.label,
      noun: 'key',
    });
    await confirm(context, `Revoke ${printable(label)} (${prefix}…)? What uses it is refused at once.`, sure);
    const { data } = await api.call<Deleted>({ method: 'DELETE', path: `/auth/api-keys/${id}` });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Revoked ${printable(label)}`);
  },
});
