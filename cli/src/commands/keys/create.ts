import { Argument } from 'commander';
import { command } from '../../command.js';

export const createKey = command({
  name: 'create',
  summary: 'Create an API key for the workspace and print it',
  args: [new Argument('<label>', 'label, such as the purpose of the key')],
  examples: ['keys create "nightly import"'],
  run: async ({ api, terminal, json }, _options, label) => {
    const key = await api().post('/auth/api-keys', { body: { label } });
    if (json) return terminal.printJson(key);
    terminal.print(key.key);
    terminal.note(terminal.noteStyle.dim('The key is shown only once. Store it safely.'));
  },
});
