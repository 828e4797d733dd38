import { Argument } from 'commander';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findNamed } from '../find.js';

export const revokeKey = command<{ yes?: boolean }>({
  name: 'revoke',
  summary: 'Revoke an API key',
  args: [new Argument('<key>', 'label or id')],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, label, prefix } = findNamed(await api.get('/auth/api-keys'), {
      wanted,
      name: (key) => key.label,
      noun: 'key',
    });
    await confirm(context, `Revoke ${printable(label)} (${prefix}…)? Requests that use it will fail.`, sure);
    const data = await api.delete('/auth/api-keys/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Revoked ${printable(label)}`);
  },
});
