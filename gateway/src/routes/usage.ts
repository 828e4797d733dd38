import { limitCatalogue, limitNames, planNames, type LimitName } from '@tautan/proto';
import { z } from 'zod';
import { limitFields } from './billing-schemas.js';
import { count } from './fields.js';
import { route, type Route } from './route.js';

const limitUsage = (name: LimitName) =>
  z
    .object({
      used: count('How much is used.', 12),
      limit: count('How much the plan allows. Null: unlimited.', 50).nullable(),
    })
    .meta({ description: limitCatalogue[name].description });

const usageRecord = z
  .object({
    period: z
      .string()
      .meta({ description: 'Calendar month (UTC) of the monthly limits, `YYYY-MM`.', examples: ['2030-01'] }),
    plan: z.enum(planNames).meta({ description: 'Plan of the workspace.', examples: ['FREE'] }),
    ...limitFields(limitUsage),
  })
  .meta({ id: 'Usage', description: 'What a workspace uses of its plan.' });
type UsageRecord = z.infer<typeof usageRecord>;

const example: UsageRecord = {
  period: '2030-01',
  plan: 'FREE',
  links: { used: 12, limit: 50 },
  qrCodes: { used: 3, limit: 10 },
  domains: { used: 1, limit: 1 },
  members: { used: 2, limit: 2 },
  webhookEndpoints: { used: 0, limit: 1 },
  clicks: { used: 4_210, limit: 10_000 },
};

export const usageRoutes: Route[] = [
  route({
    id: 'getUsage',
    method: 'GET',
    path: '/api/v1/billing/usage',
    section: 'Billing',
    summary: 'Get the usage of the current plan',
    description:
      'What the workspace uses of every limit of its plan. Creating more than a limit allows is `PLAN_LIMIT_EXCEEDED`; `clicks` is a soft limit that stops nothing. Monthly limits start again at the first of the month, 00:00 UTC.',
    request: {},
    success: { status: 200, description: 'The usage.', data: usageRecord, example },
    errors: ['SERVICE_UNAVAILABLE', 'TIMEOUT'],
    handle: async (_request, { clients, rpc, caller, plans }) => {
      const { plan } = caller!;
      const used = await clients.readUsage(rpc());
      const fields = limitNames.map((name) => [name, { used: used[name] ?? 0, limit: plans[plan].limits[name] }]);
      const period = new Date().toISOString().slice(0, 7);
      return { data: { period, plan, ...(Object.fromEntries(fields) as Record<LimitName, UsageRecord['links']>) } };
    },
  }),
];
