import { Argument } from 'commander';
import { command } from '../../command.js';

export const createKey = command({
  name: 'create',
  summary: 'Make an API key for the workspace; it is shown once',
  args: [new Argument('<label>', 'what it is for')],
  examples: ['keys create "nightly import"'],
  run: async ({ api, terminal, json }, _options, label) => {
    const key = await api().post('/auth/api-keys', { body: { label } });
    if (json) return terminal.printJson(key);
    terminal.print(key.key);
    terminal.note(terminal.noteStyle.dim('This is the only time that the key is shown. Keep it safe.'));
  },
});
