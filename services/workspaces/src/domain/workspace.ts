import { fail } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import { oneLine } from './text.js';

export const plans = ['FREE', 'PRO', 'BUSINESS'] as const;
export type Plan = (typeof plans)[number];

export interface Workspace {
  /** ws_… */
  _id: string;
  /** Its id at the identity provider; absent where it is known here alone. */
  externalId?: string;
  name: string;
  plan: Plan;
  /** Since when it is known to be on that plan, where that was told: what was told before is older. */
  planAsOf?: Date;
  /** Kept by events, so they may lag behind by a moment. */
  linkCount: number;
  qrCodeCount: number;
  /** What the provider said before this is older than what stands here. */
  asOf: Date;
  createdAt: Date;
}

/** A workspace's name: one line of 1 to 100 characters. */
export const workspaceName = (text: string): string => oneLine(text, 'name', 100);

/** A plan by its name; FREE where none is named. */
export function planNamed(text: string): Plan {
  const plan = plans.find((name) => name === (text || 'FREE'));
  if (!plan) throw fail('VALIDATION_ERROR', `plan must be one of ${plans.join(', ')}.`, 'plan');
  return plan;
}

/** What events tell of a workspace. */
export const workspaceData = ({ _id, name, plan, createdAt }: Workspace): EventData<'workspace.created'> => ({
  id: _id,
  name,
  plan,
  createdAt: createdAt.toISOString(),
});
