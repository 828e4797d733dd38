import type { CommandGroup } from '../../command.js';
import { createWorkspace, getWorkspace, renameWorkspace, workspaceStats } from './current.js';
import { listWorkspaces } from './list.js';
import { switchWorkspace } from './switch.js';

export const workspaces: CommandGroup = {
  name: 'workspaces',
  summary: 'List, create, rename and switch workspaces',
  commands: [listWorkspaces, switchWorkspace, getWorkspace, createWorkspace, renameWorkspace, workspaceStats],
};
