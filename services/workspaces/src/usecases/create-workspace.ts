import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { newWorkspace, workspaceName, type Workspace } from '../domain/workspace.js';
import { planToGive } from '../domain/workspace-plan.js';
import { changePlan, type PlanDeps } from './change-plan.js';
import { retryDuplicates } from './retry-duplicates.js';
import { emitWorkspace } from './workspace-events.js';

interface Deps extends PlanDeps {
  now: () => Date;
}

interface Wanted {
  by: Principal | null;
  name: string;
  /** Empty for none of its own. */
  plan: string;
  externalId?: string;
}

/**
 * Creates a workspace and emits `workspace.created`. With an `externalId` it mirrors a workspace of the identity provider; if
 * that one is mirrored already, its mirror is given the plan, unless that is empty, and returned. Throws VALIDATION_ERROR
 * naming `name` or `plan`.
 */
export async function createWorkspace(deps: Deps, { by, name, plan, externalId = '' }: Wanted): Promise<Workspace> {
  const at = deps.now();
  const given = planToGive(plan);
  const wanted = { name: workspaceName(name), externalId: externalId || undefined, given, asOf: at, createdAt: at };
  const workspace = newWorkspace(deps.defaultPlan, wanted);
  const create = async (tx: Transaction): Promise<Workspace> => {
    const [mirrored] = externalId === '' ? [] : await deps.workspaces.findProvided([externalId], tx);
    if (mirrored && given === null) return mirrored;
    if (mirrored) return changePlan(deps, { workspace: mirrored, planSources: { ...mirrored.planSources, given } }, tx);
    await deps.workspaces.insert([workspace], tx);
    emitWorkspace(tx, 'workspace.created', workspace);
    return workspace;
  };
  const created = await retryDuplicates(() => deps.transact(by, create));
  if (created !== workspace) deps.dropEntitlements(created._id);
  return created;
}
