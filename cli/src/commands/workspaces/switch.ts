import { Argument } from 'commander';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { findNamed } from '../find.js';

export const switchWorkspace = command({
  name: 'switch',
  summary: 'Switch to another workspace',
  args: [new Argument('<workspace>', 'name or id')],
  examples: ['workspaces switch Marketing'],
  run: async ({ api, terminal, json, store, url }, _options, wanted) => {
    const client = api();
    const withoutWorkspace = { workspaceId: null };
    const list = await client.get('/workspaces', withoutWorkspace);
    const { id } = findNamed(list, { wanted, name: ({ name }) => name, noun: 'workspace' });
    const data = await client.post('/workspaces/switch', { body: { workspaceId: id }, ...withoutWorkspace });
    await store.change((file, save) => {
      const profile = file.profiles[url];
      if (!profile) return;
      profile.workspaceId = id;
      save();
    });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Switched to ${printable(data.name)}`);
  },
});
