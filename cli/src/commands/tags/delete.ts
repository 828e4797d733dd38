import { command } from '../../command.js';
import { counted, printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';
import { findTag, tagArgument } from './find.js';

export const deleteTag = command<{ yes?: boolean }>({
  name: 'delete',
  summary: 'Delete a tag; its links and QR codes remain',
  args: [tagArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { terminal, json } = context;
    const api = context.api();
    const { id, name, linkCount, qrCodeCount } = await findTag(api, wanted);
    const uses = `${counted(linkCount, 'link')} and ${counted(qrCodeCount, 'QR code')}`;
    await confirm(context, `Delete ${printable(name)}? It will be removed from ${uses}.`, sure);
    const data = await api.delete('/tags/{id}', { path: { id } });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Deleted the tag ${printable(name)}`);
  },
});
