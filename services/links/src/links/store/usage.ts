import { type CountedLimits, startOfMonth, UsageCounters } from '@tautan/plans/usage';
import type { Connection } from 'mongoose';
import type { Models } from '../../store/models.js';

/** Returns the counters of the limits that this service enforces: links per month and custom domains. */
export function usageCounters({ links, domains, usageCounters }: Models, connection: Connection): UsageCounters {
  const limits: CountedLimits = {
    links: {
      monthly: true,
      count: ({ workspaceId, month = '' }, session) => {
        const createdAt = { $gte: startOfMonth(month), $lt: startOfMonth(month, 1) };
        const counted = [{ countedIn: month }, { countedIn: { $exists: false }, createdAt }];
        return links.countDocuments({ workspaceId, $or: counted }).session(session).exec();
      },
    },
    domains: {
      monthly: false,
      count: ({ workspaceId }, session) => domains.countDocuments({ workspaceId }).session(session).exec(),
    },
  };
  return new UsageCounters(usageCounters, connection, limits);
}
