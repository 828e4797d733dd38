import { z } from 'zod';
import { limitCatalog, planNames, type LimitName } from '../plans.js';
import { choice, count, text } from './fields.js';
import { limitFields } from './plan.js';

const limitUsage = (name: LimitName) =>
  z
    .object({
      used: count('Number used.', 12),
      limit: count('Number that the plan allows. Null: unlimited.', 50).nullable(),
    })
    .meta({ description: limitCatalog[name].description });

export const usageRecord = z
  .object({
    period: text('Calendar month (UTC) of the monthly limits, `YYYY-MM`.', '2030-01'),
    plan: choice(planNames, 'Current plan.'),
    ...limitFields(limitUsage),
  })
  .meta({ id: 'Usage', description: 'Usage of every limit of the plan.' });
export type UsageRecord = z.infer<typeof usageRecord>;

export const usageExample: UsageRecord = {
  period: '2030-01',
  plan: 'FREE',
  links: { used: 12, limit: 50 },
  qrCodes: { used: 3, limit: 10 },
  domains: { used: 1, limit: 1 },
  members: { used: 2, limit: 2 },
  webhookEndpoints: { used: 0, limit: 1 },
  clicks: { used: 4_210, limit: 10_000 },
};

export const usageThresholdRecord = z
  .object({
    limit: choice(['clicks'], 'Name of the soft limit.'),
    period: text('Calendar month (UTC), `YYYY-MM`.', '2030-01'),
    threshold: z
      .union([z.literal(80), z.literal(100)])
      .meta({ description: 'Percentage of the limit that was reached.', examples: [80] }),
    used: count('Number used when Tautan detected that the threshold was reached.', 8_004),
    max: count('Number that the plan allows.', 10_000),
    plan: choice(planNames, 'Plan of the workspace.'),
  })
  .meta({ id: 'UsageThreshold', description: 'A soft limit of which a workspace has used 80% or 100%.' });
export type UsageThresholdRecord = z.infer<typeof usageThresholdRecord>;

export const usageThresholdExample: UsageThresholdRecord = {
  limit: 'clicks',
  period: '2030-01',
  threshold: 80,
  used: 8_004,
  max: 10_000,
  plan: 'FREE',
};
