import { fail } from '@tautan/kit';
import { oneLine } from './text.js';

export const plans = ['FREE', 'PRO', 'BUSINESS'] as const;
export type Plan = (typeof plans)[number];

export interface Workspace {
  /** ws_… */
  _id: string;
  name: string;
  plan: Plan;
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
