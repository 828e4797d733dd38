import type { CommandGroup } from '../../command.js';
import { listWorkspaces } from './list.js';
import { switchWorkspace } from './switch.js';

export const workspaces: CommandGroup = {
  name: 'workspaces',
  summary: 'List workspaces, and choose the one to work in',
  commands: [listWorkspaces, switchWorkspace],
};
