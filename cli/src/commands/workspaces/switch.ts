import { Argument } from 'commander';
import type { Workspace } from '../../api/records.js';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { findNamed } from '../find.js';

export const switchWorkspace = command({
  name: 'switch',
  summary: 'Work in another workspace from now on',
  args: [new Argument('<workspace>', 'name or id')],
  examples: ['workspaces switch Marketing'],
  run: async ({ api, terminal, json, store, url }, _options, wanted) => {
    const client = api();
    const { id } = await findNamed<Workspace>(client, '/workspaces', {
      wanted: wanted,
      name: ({ name }) => name,
      noun: 'workspace',
      anyWorkspace: true,
    });
    const body = { workspaceId: id };
    const path = '/workspaces/switch';
    const { data } = await client.call<Workspace>({ method: 'POST', path, body, anyWorkspace: true });
    await store.change((file, save) => {
      const profile = file.profiles[url];
      if (!profile) return;
      profile.workspaceId = id;
      save();
    });
    if (json) terminal.printJson(data);
    else terminal.print(`${terminal.style.green('✓')} Working in ${printable(data.name)}`);
  },
});
