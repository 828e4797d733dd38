import { fail, type Fault } from '@tautan/kit';
import { limitCatalog, type HardLimitName, type PlanName } from '@tautan/proto/plans';

/** Returns a PLAN_LIMIT_EXCEEDED fault that names the limit, the usage and the plan. */
export const planLimitExceeded = (
  limit: HardLimitName,
  { plan, max, used }: { plan: PlanName; max: number; used: number },
): Fault => {
  const message = `The ${plan} plan limits ${limitCatalog[limit].noun} to ${max} (in use: ${used}). Upgrade the plan to create more.`;
  return fail('PLAN_LIMIT_EXCEEDED', message, limit);
};
