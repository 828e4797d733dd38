import { newId } from '@tautan/kit';
import type { EventData, PlanName } from '@tautan/proto';
import { oneLine } from '../../domain/text.js';
import { effectivePlan, noPlanSources, type PlanSources } from '../../plans/domain/workspace-plan.js';

export interface Workspace {
  /** ws_… */
  _id: string;
  /** Id at the identity provider; absent for a workspace that is managed locally. */
  externalId?: string;
  name: string;
  /** The effective plan. */
  plan: PlanName;
  planSources: PlanSources;
  /** Incremented by every change of the plan. 0 for records of earlier software versions. */
  planVersion: number;
  /** The plan that events with this `planVersion` report. Differs from `plan` after a change of DEFAULT_PLAN. */
  announcedPlan: PlanName;
  /** Updated by events, so it may lag behind. */
  linkCount: number;
  /** Updated by events, so it may lag behind. */
  qrCodeCount: number;
  /** Responses to queries that were sent to the provider at this time or earlier are ignored. */
  asOf: Date;
  createdAt: Date;
}

/** Validates a workspace's name: one line of 1 to 100 characters. */
export const workspaceName = (text: string): string => oneLine(text, 'name', 100);

interface NewWorkspace extends Pick<Workspace, 'name' | 'asOf' | 'createdAt'> {
  externalId?: string | undefined;
  /** The plan that an operator assigned; null for none. */
  given?: PlanName | null;
}

/** Returns a new workspace, on the default plan unless one is given. */
export function newWorkspace(defaultPlan: PlanName, { externalId, given = null, ...fields }: NewWorkspace): Workspace {
  const planSources = { ...noPlanSources, given };
  const plan = effectivePlan(planSources, defaultPlan);
  return {
    _id: newId('ws'),
    ...(externalId !== undefined && { externalId }),
    ...fields,
    plan,
    planSources,
    planVersion: 1,
    announcedPlan: plan,
    linkCount: 0,
    qrCodeCount: 0,
  };
}

/** Returns a workspace as contained in events. */
export const workspaceData = ({ _id, name, plan, createdAt }: Workspace): EventData<'workspace.created'> => ({
  id: _id,
  name,
  plan,
  createdAt: createdAt.toISOString(),
});
