import { UsageCounters } from '@tautan/plans/usage';
import type { Models } from './models.js';

/** Creates the usage counters of this service's plan limit. */
export const createCounters = ({ usageCounters, endpoints }: Models): UsageCounters =>
  new UsageCounters(usageCounters, usageCounters.db, {
    webhookEndpoints: {
      monthly: false,
      count: ({ workspaceId }, session) => endpoints.countDocuments({ workspaceId }).session(session).exec(),
    },
  });
