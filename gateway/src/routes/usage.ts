import { limitNames, usageExample, usageRecord, type LimitName, type UsageRecord } from '@tautan/proto';
import { route, type Route } from './route.js';

export const usageRoutes: Route[] = [
  route({
    id: 'getUsage',
    method: 'GET',
    path: '/api/v1/billing/usage',
    section: 'Billing',
    summary: 'Get the usage of the current plan',
    description:
      'Returns the usage of every limit of the plan. Requests that would exceed a limit fail with `PLAN_LIMIT_EXCEEDED`; `clicks` is a soft limit that stops nothing. Monthly limits are reset on the first of the month at 00:00 UTC.',
    request: {},
    success: { status: 200, description: 'The usage.', data: usageRecord, example: usageExample },
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
