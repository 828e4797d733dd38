import { rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { operatorServices } from '@tautan/proto/rpc';
import { checkPage } from './check-usage.js';
import type { UsageCounters } from './usage-counters.js';

/** Handlers of the operator RPCs for usage counters. */
export const usageTable = (counters: UsageCounters, now: () => Date): RpcTable =>
  rpcTable(operatorServices.usage, {
    CheckUsage: async (_call, { workspaceId, ...page }) => {
      const { drifts, checked, next } = await checkPage(counters, {
        ...page,
        workspaceId: workspaceId || undefined,
        at: now(),
      });
      return {
        drifts: drifts.map(({ month, ...drift }) => ({ ...drift, ...(month !== undefined && { month }) })),
        checked,
        next: next ?? '',
      };
    },
  });
