import { command } from '../../command.js';
import { counted, printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findTag, tagArgument } from './find.js';

export const deleteTag = command<{ yes?: boolean }>({
  name: 'delete',
  summary: 'Delete a tag; links remain',
  args: [tagArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, name, linkCount } = await findTag(api, wanted);
    await confirm(context, `Delete ${printable(name)}? It is removed from ${counted(linkCount, 'link')}.`, sure);
    const data = await api.delete('/tags/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Deleted the tag ${printable(name)}`);
  },
});
