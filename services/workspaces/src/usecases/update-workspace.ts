import { fail, type Principal } from '@tautan/kit';
import { writtenNow } from '../domain/member.js';
import { workspaceData, workspaceName } from '../domain/workspace.js';
import type { PeopleDeps } from './deps.js';
import { describeWorkspace, type DescribedWorkspace } from './describe-workspaces.js';
import { managedWorkspace } from './managed-workspace.js';
import { push } from './push.js';

/**
 * Renames the principal's workspace, at the identity provider and then here; tells `workspace.updated`. Throws
 * PERSON_ONLY, FORBIDDEN below admin, VALIDATION_ERROR naming `name`, UPSTREAM_UNAVAILABLE: then nothing changed here.
 */
export async function updateWorkspace(
  deps: PeopleDeps,
  { by, credential, name }: { by: Principal; credential: string; name: string },
): Promise<DescribedWorkspace> {
  const workspace = await managedWorkspace(deps, by);
  const { _id } = workspace;
  const wanted = workspaceName(name);
  await push(deps, { by, credential, workspace }, ({ directory, token, workspaceId }) =>
    directory.renameWorkspace(token, workspaceId, wanted),
  );
  const renamed = await deps.transact(by, async (tx) => {
    const before = await deps.workspaces.find(_id, tx);
    if (!before) throw fail('NOT_FOUND', 'There is no such workspace.');
    const after = { ...before, name: wanted };
    await deps.workspaces.rename(_id, wanted, writtenNow(deps.now()), tx);
    if (before.name === wanted) return after;
    tx.emit({
      type: 'workspace.updated',
      workspaceId: _id,
      target: { type: 'workspace', id: _id, label: wanted },
      data: workspaceData(after),
      changes: { name: { before: before.name, after: wanted } },
    });
    return after;
  });
  deps.dropCredentials({ userIds: [by.id] });
  return describeWorkspace(deps, renamed, { role: by.role, current: true });
}
