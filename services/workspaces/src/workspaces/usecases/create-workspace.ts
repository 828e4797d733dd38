import { fail, type Operator } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { emailAddress, asOfWrite, type Member } from '../../members/domain/member.js';
import { newMember } from '../domain/mirror.js';
import { newWorkspace, workspaceName, type Workspace } from '../domain/workspace.js';
import { parseGivenPlan } from '../../plans/domain/workspace-plan.js';
import { addMembers } from '../../members/steps/add-members.js';
import { changePlan, type PlanDeps } from '../../plans/steps/change-plan.js';
import type { MirrorDeps } from '../../usecase-deps.js';
import { emitMember } from '../../members/steps/member-events.js';
import { retryDuplicates } from '../steps/retry-duplicates.js';
import { emitWorkspace } from '../steps/workspace-events.js';

type Deps = PlanDeps & MirrorDeps;

interface Wanted {
  name: string;
  /** The plan to assign; empty for none. */
  plan: string;
  /** Empty for a workspace that is managed locally. */
  externalId: string;
  /** Email address of the owner; empty for none. */
  ownerEmail: string;
}

/**
 * Creates a workspace and emits `workspace.created`. Unless `ownerEmail` is empty, the owner is invited
 * (`member.invited`) and joins at the first sign-in with that address. An `externalId` creates the mirror of a
 * workspace of the identity provider, and the provider defines the owner. If the mirror already exists, `plan` is
 * assigned to it, unless `plan` is empty, and the existing workspace is returned. The plan of a live subscription takes
 * precedence. Throws VALIDATION_ERROR naming `name`, `plan` or `ownerEmail`.
 */
export async function createWorkspace(
  deps: Deps,
  by: Operator,
  { name, plan, externalId, ...wanted }: Wanted,
): Promise<Workspace> {
  const at = deps.now();
  const given = parseGivenPlan(plan);
  const fields = { name: workspaceName(name), externalId: externalId || undefined, given, asOf: at, createdAt: at };
  const workspace = newWorkspace(deps.defaultPlan, fields);
  const owner = ownerOf(workspace, wanted.ownerEmail);
  const create = async (tx: Transaction): Promise<Workspace> => {
    const [mirrored] = externalId === '' ? [] : await deps.workspaces.findProvided([externalId], tx);
    if (mirrored && given === null) return mirrored;
    if (mirrored) return changePlan(deps, { workspace: mirrored, planSources: { ...mirrored.planSources, given } }, tx);
    await deps.workspaces.insert([workspace], tx);
    emitWorkspace(tx, 'workspace.created', workspace);
    if (!owner) return workspace;
    await addMembers(deps, [owner], tx);
    emitMember(tx, 'member.invited', owner);
    return workspace;
  };
  const created = await retryDuplicates(() => deps.transact(by, create));
  if (created !== workspace) deps.invalidateEntitlements(created._id);
  return created;
}

function ownerOf({ _id, externalId, createdAt: at }: Workspace, address: string): Member | undefined {
  if (address === '') return undefined;
  if (externalId !== undefined)
    throw fail(
      'VALIDATION_ERROR',
      'The identity provider defines the owner of its workspaces. Omit ownerEmail.',
      'ownerEmail',
    );
  const invited = {
    externalId: null,
    userId: null,
    name: '',
    role: 'owner',
    status: 'invited',
    joinedAt: null,
  } as const;
  return { ...newMember(_id, { ...invited, email: ownerAddress(address) }, at), asOf: asOfWrite(at) };
}

function ownerAddress(text: string): string {
  try {
    return emailAddress(text);
  } catch {
    throw fail('VALIDATION_ERROR', 'ownerEmail must be an email address.', 'ownerEmail');
  }
}
