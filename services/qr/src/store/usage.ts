import { UsageCounters } from '@tautan/plans/usage';
import type { Models } from './models.js';

/**
 * Creates the usage counters of this service's plan limit. A QR code counts from the insertion of its record until the
 * record is marked as deleted.
 */
export const createCounters = ({ usageCounters, qrCodes }: Models): UsageCounters =>
  new UsageCounters(usageCounters, usageCounters.db, {
    qrCodes: {
      monthly: false,
      count: ({ workspaceId }, session) =>
        qrCodes
          .countDocuments({ workspaceId, state: { $in: ['begun', 'live'] } })
          .session(session)
          .exec(),
    },
  });
