import { readFileSync } from 'node:fs';
import { jsonSetting, parseJson } from '@tautan/kit';
import { planNames, planOverridesSchema, withOverrides, type PlanOverrides, type Plans } from '@tautan/proto/plans';
import { z } from 'zod';

const overrides = planOverridesSchema.shape;

const overridesFile = z.string().transform((path, context): PlanOverrides => {
  try {
    return parseJson(planOverridesSchema, readFileSync(path, 'utf8'), context);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `cannot be read: ${(error as Error).message}` });
    return z.NEVER;
  }
});

const requireZeroPrices = <S extends z.ZodType<NonNullable<PlanOverrides['FREE']>>>(schema: S) =>
  schema.refine(({ prices = {} }) => Object.values(prices).every((price) => price === 0), {
    path: ['prices'],
    error: 'must be 0',
  });

/** Settings of every process that applies plans. Give all processes the same values. */
export const planSettings = {
  /** File with changes to the plans, as JSON: `{"PRO": {"limits": {"links": 2000}}}`. Read once at start. */
  PLANS_FILE: overridesFile.default({}),
  /** Changes to one plan, as JSON: `{"limits": {"links": 2000}}`. Applied after PLANS_FILE. */
  PLAN_FREE: jsonSetting(requireZeroPrices(overrides.FREE.unwrap())).default({}),
  PLAN_PRO: jsonSetting(overrides.PRO.unwrap()).default({}),
  PLAN_BUSINESS: jsonSetting(overrides.BUSINESS.unwrap()).default({}),
  PLAN_UNLIMITED: jsonSetting(requireZeroPrices(overrides.UNLIMITED.unwrap())).default({}),
};

type PlanConfig = z.infer<z.ZodObject<typeof planSettings>>;

/** Returns the plans of this installation: the defaults with the overrides of the settings. */
export const plansOf = (config: PlanConfig): Plans =>
  withOverrides(config.PLANS_FILE, {
    FREE: config.PLAN_FREE,
    PRO: config.PLAN_PRO,
    BUSINESS: config.PLAN_BUSINESS,
    UNLIMITED: config.PLAN_UNLIMITED,
  });

/** The plan of workspaces that have neither a subscription nor a plan assigned by an operator. */
export const defaultPlanSetting = z.enum(planNames).default('FREE');
