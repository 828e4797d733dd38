import { Argument } from 'commander';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';

export const createTag = command({
  name: 'create',
  summary: 'Create a tag',
  args: [new Argument('<name>', 'name of the tag')],
  run: async ({ api, terminal, json }, _options, name) => {
    const tag = await api().post('/tags', { body: { name } });
    if (json) terminal.printJson(tag);
    else terminal.print(`${terminal.style.green('✓')} Created the tag ${printable(tag.name)} (${tag.id})`);
  },
});
