import type { Transaction } from '@tautan/kit/mongo';
import type { Workspace } from '../domain/workspace.js';
import type { Models } from './models.js';

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

export const workspaceStore = ({ workspaces }: Models) => ({
  async insert(workspace: Workspace, { session }: Transaction): Promise<void> {
    await workspaces.insertMany([workspace], { session });
  },

  find: (id: string): Promise<Workspace | null> => workspaces.findById(id).lean<Workspace>(),
});
