import { rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import type { Deps } from '../usecase-deps.js';

/** Returns the RPC table that reports usage of plan limits. */
export const usageTable = ({ counters, now }: Pick<Deps, 'counters' | 'now'>): RpcTable =>
  rpcTable(rpcServices.usage, {
    GetUsage: async (call) => ({ used: await counters.read(call.principal().workspaceId, now()) }),
  });
