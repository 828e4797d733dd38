import { Argument } from 'commander';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { findTag, tagArgument } from './find.js';

export const renameTag = command({
  name: 'rename',
  summary: 'Rename a tag; its links and QR codes keep it',
  args: [tagArgument(), new Argument('<name>', 'new name')],
  run: async ({ api, terminal, json }, _options, wanted, name) => {
    const client = api();
    const { id, name: old } = await findTag(client, wanted);
    const tag = await client.patch('/tags/{id}', { path: { id }, body: { name } });
    if (json) terminal.printJson(tag);
    else terminal.print(`${terminal.style.green('✓')} Renamed ${printable(old)} to ${printable(tag.name)}`);
  },
});
