import { readFileSync } from 'node:fs';
import {
  limitCatalogue,
  planNames,
  planOverridesSchema,
  withOverrides,
  type HardLimitName,
  type PlanName,
  type PlanOverrides,
  type Plans,
} from '@tautan/proto/plans';
import { z } from 'zod';
import { fail, type Fault } from './errors.js';

const oneOverride = planOverridesSchema.shape;

/** Parses JSON with a schema. Error messages name the field. */
function parseJson<S extends z.ZodType>(schema: S, text: string, context: z.RefinementCtx): z.infer<S> {
  const complain = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return complain('must be valid JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  return complain(
    result.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`).join('; '),
  );
}

/** A setting that holds JSON for a schema. */
export const jsonSetting = <S extends z.ZodType>(schema: S) =>
  z.string().transform((text, context): z.infer<S> => parseJson(schema, text, context));

const overridesFile = z.string().transform((path, context): PlanOverrides => {
  try {
    return parseJson(planOverridesSchema, readFileSync(path, 'utf8'), context);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `cannot be read: ${(error as Error).message}` });
    return z.NEVER;
  }
});

const free = <S extends z.ZodType<NonNullable<PlanOverrides['FREE']>>>(schema: S) =>
  schema.refine(({ prices = {} }) => Object.values(prices).every((price) => price === 0), {
    path: ['prices'],
    error: 'must be 0',
  });

/** Settings of every process that applies plans. Give all processes the same values. */
export const planSettings = {
  /** File with changes to the plans, as JSON: `{"PRO": {"limits": {"links": 2000}}}`. Read once at start. */
  PLANS_FILE: overridesFile.default({}),
  /** Changes to one plan, as JSON: `{"limits": {"links": 2000}}`. Applied after PLANS_FILE. */
  PLAN_FREE: jsonSetting(free(oneOverride.FREE.unwrap())).default({}),
  PLAN_PRO: jsonSetting(oneOverride.PRO.unwrap()).default({}),
  PLAN_BUSINESS: jsonSetting(oneOverride.BUSINESS.unwrap()).default({}),
  PLAN_UNLIMITED: jsonSetting(free(oneOverride.UNLIMITED.unwrap())).default({}),
};

type PlanConfig = z.infer<z.ZodObject<typeof planSettings>>;

/** Returns the plans of this installation. */
export const plansOf = (config: PlanConfig): Plans =>
  withOverrides(config.PLANS_FILE, {
    FREE: config.PLAN_FREE,
    PRO: config.PLAN_PRO,
    BUSINESS: config.PLAN_BUSINESS,
    UNLIMITED: config.PLAN_UNLIMITED,
  });

/** The plan of workspaces without a subscription or a plan assigned by an operator. */
export const defaultPlanSetting = z.enum(planNames).default('FREE');

/** Returns a PLAN_LIMIT_EXCEEDED fault that names the limit, the usage and the plan. */
export const planLimitExceeded = (
  limit: HardLimitName,
  { plan, max, used }: { plan: PlanName; max: number; used: number },
): Fault => {
  const message = `The ${plan} plan allows ${max} ${limitCatalogue[limit].noun}; ${used} are in use. Upgrade the plan to create more.`;
  return fail('PLAN_LIMIT_EXCEEDED', message, limit);
};
