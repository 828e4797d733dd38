import { fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { asOfWrite } from '../../members/domain/member.js';
import { workspaceName } from '../domain/workspace.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { describeWorkspace, type DescribedWorkspace } from '../steps/describe-workspaces.js';
import { assertManages, ownMembership } from '../steps/manageable-workspace.js';
import { storeAccepted } from '../steps/store-accepted.js';
import { withDirectory } from '../steps/with-directory.js';
import { emitWorkspace } from '../steps/workspace-events.js';

/**
 * Renames the workspace in the database, and emits `workspace.updated` if the name changed. A workspace that is not
 * managed locally is renamed at the identity provider first. Throws PERSON_ONLY, NOT_FOUND, FORBIDDEN for a role below
 * admin, and VALIDATION_ERROR naming `name`. Throws UPSTREAM_UNAVAILABLE if the provider fails; the database is not
 * changed in that case.
 */
export async function updateWorkspace(
  deps: ProviderDeps,
  by: Principal,
  { credential, name }: { credential: string; name: string },
): Promise<DescribedWorkspace> {
  const { workspace, membership } = await ownMembership(deps, by);
  assertManages(membership);
  const { _id } = workspace;
  const validName = workspaceName(name);
  await withDirectory(deps, { by, credential, workspace }, ({ directory, token, workspaceId }) =>
    directory.renameWorkspace(token, workspaceId, validName),
  );
  const rename = async (tx: Transaction) => {
    const before = await deps.workspaces.find(_id, tx);
    if (!before) throw fail('NOT_FOUND', 'No workspace with this id.');
    const after = { ...before, name: validName };
    await deps.workspaces.rename(_id, validName, asOfWrite(deps.now()), tx);
    if (before.name === validName) return after;
    emitWorkspace(tx, 'workspace.updated', after, { name: { before: before.name, after: validName } });
    return after;
  };
  const renamed = await storeAccepted(deps, workspace, () => deps.transact(by, rename));
  deps.recheckCredentials({ userIds: [by.id] });
  return describeWorkspace(deps, renamed, { role: membership.role, current: true });
}
