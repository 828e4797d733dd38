import { UsageCounters } from '@tautan/kit/usage';
import type { Models } from './models.js';

/** The counters of the plan limit of this service. A QR code counts from the insertion of its record to its deletion. */
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
