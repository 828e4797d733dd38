import { rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto';
import type { Workspace } from './domain/workspace.js';
import { beginRequest } from './usecases/begin-request.js';
import { completeRequest } from './usecases/complete-request.js';
import { createWorkspace } from './usecases/create-workspace.js';
import { getWorkspace } from './usecases/get-workspace.js';
import { mintApiKey } from './usecases/mint-api-key.js';
import { releaseRequest } from './usecases/release-request.js';
import { revokeApiKey } from './usecases/revoke-api-key.js';
import { verifyApiKey } from './usecases/verify-api-key.js';

/** Everything that the use cases of this service need. */
export type Deps = Parameters<typeof mintApiKey>[0] &
  Parameters<typeof verifyApiKey>[0] &
  Parameters<typeof revokeApiKey>[0] &
  Parameters<typeof beginRequest>[0];

/** What this service answers. */
export const rpcTables = (deps: Deps): RpcTable[] => [
  rpcTable(rpcServices.workspaces, {
    CreateWorkspace: async (call, { name, plan }) =>
      workspaceView(await createWorkspace(deps, { by: call.principalOrNull(), name, plan })),
    GetWorkspace: async (call) => workspaceView(await getWorkspace(deps, { by: call.principal() })),
  }),
  rpcTable(rpcServices.apiKeys, {
    MintApiKey: async (call, { workspaceId, label }) => {
      const made = await mintApiKey(deps, { by: call.principalOrNull(), workspaceId, label });
      return { id: made._id, label: made.label, prefix: made.prefix, key: made.key };
    },
    VerifyApiKey: async (_call, { key }) => {
      const { apiKey, workspace } = await verifyApiKey(deps, { key });
      return { id: apiKey._id, label: apiKey.label, workspaceId: workspace._id, plan: workspace.plan };
    },
    RevokeApiKey: async (call, { workspaceId, id }) => {
      await revokeApiKey(deps, { by: call.principalOrNull(), workspaceId, id });
      return { id };
    },
  }),
  rpcTable(rpcServices.idempotency, {
    BeginRequest: async (call, { key, fingerprint }) =>
      beginRequest(deps, { by: call.principal(), key, fingerprint: Buffer.from(fingerprint) }),
    CompleteRequest: async (call, { key, operationId, answer }) => {
      await completeRequest(deps, { by: call.principal(), key, operationId, answer });
      return {};
    },
    ReleaseRequest: async (call, { key, operationId }) => {
      await releaseRequest(deps, { by: call.principal(), key, operationId });
      return {};
    },
  }),
];

const workspaceView = ({ _id, name, plan, createdAt }: Workspace) => ({
  id: _id,
  name,
  plan,
  createdAt: createdAt.toISOString(),
});
