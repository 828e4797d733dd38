import { operatorOf } from '@tautan/kit';
import { operatorPageSize } from '@tautan/kit/operator';
import { forCall, rpcTable, withCall, type RpcTable } from '@tautan/kit/rpc';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import type { RequestHolder } from './requests/domain/idempotency.js';
import type { Workspace } from './workspaces/domain/workspace.js';
import { authenticateUser } from './sessions/usecases/authenticate-user.js';
import { beginLogin } from './sessions/usecases/begin-login.js';
import { beginRequest } from './requests/usecases/begin-request.js';
import { changeMemberRole } from './members/usecases/change-member-role.js';
import { completeRequest } from './requests/usecases/complete-request.js';
import { createOwnWorkspace } from './workspaces/usecases/create-own-workspace.js';
import { createWorkspace } from './workspaces/usecases/create-workspace.js';
import { endSession } from './sessions/usecases/end-session.js';
import { finishLogin } from './sessions/usecases/finish-login.js';
import { forgotPassword } from './sessions/usecases/forgot-password.js';
import { getConfiguration } from './sessions/usecases/get-configuration.js';
import { getWorkspace } from './workspaces/usecases/get-workspace.js';
import { inviteMember } from './members/usecases/invite-member.js';
import { listAllWorkspaces } from './workspaces/usecases/list-all-workspaces.js';
import { describeForOperators } from './workspaces/steps/operator-workspaces.js';
import { listAuditLog } from './audit/usecases/list-audit-log.js';
import { listApiKeys } from './api-keys/usecases/list-api-keys.js';
import { listWorkspaceApiKeys } from './api-keys/usecases/list-workspace-api-keys.js';
import { listMembers } from './members/usecases/list-members.js';
import { listSessions } from './sessions/usecases/list-sessions.js';
import { listWorkspaces } from './workspaces/usecases/list-workspaces.js';
import { mintApiKey } from './api-keys/usecases/mint-api-key.js';
import { passwordLogin } from './sessions/usecases/password-login.js';
import { refreshSession } from './sessions/usecases/refresh-session.js';
import { releaseInstance } from './requests/usecases/release-instance.js';
import { releaseRequest } from './requests/usecases/release-request.js';
import { removeMember } from './members/usecases/remove-member.js';
import { renewRequests } from './requests/usecases/renew-requests.js';
import { revokeApiKey } from './api-keys/usecases/revoke-api-key.js';
import { revokeOtherSessions } from './sessions/usecases/revoke-other-sessions.js';
import { revokeSession } from './sessions/usecases/revoke-session.js';
import type { SignInDeps } from './session-deps.js';
import { setPlan } from './plans/usecases/set-plan.js';
import { signUp } from './sessions/usecases/sign-up.js';
import { switchWorkspace } from './workspaces/usecases/switch-workspace.js';
import { updateWorkspace } from './workspaces/usecases/update-workspace.js';
import { verifyApiKey } from './api-keys/usecases/verify-api-key.js';
import { verifyAudit } from './audit/usecases/verify-audit.js';
import {
  apiKeyView,
  auditEntryView,
  clientOf,
  memberView,
  mintedView,
  openedView,
  operatorWorkspaceView,
  userView,
  sessionView,
  auditReportView,
  workspaceView,
} from './views.js';

/** The dependencies of all use cases. */
export type Deps = SignInDeps &
  Parameters<typeof setPlan>[0] &
  Omit<Parameters<typeof mintApiKey>[0], 'signal'> &
  Parameters<typeof verifyApiKey>[0] &
  Parameters<typeof revokeApiKey>[0] &
  Parameters<typeof beginRequest>[0] &
  Parameters<typeof listAuditLog>[0];

/** Returns the RPC tables of this service. */
export const rpcTables = (deps: Deps): RpcTable[] => [
  rpcTable(rpcServices.workspaces, {
    CreateOwnWorkspace: async (call, request) =>
      workspaceView(await createOwnWorkspace(withCall(deps, call), call.principal(), request)),
    ListWorkspaces: async (call, request) => ({
      workspaces: (await listWorkspaces(deps, call.principal(), request)).map(workspaceView),
    }),
    GetWorkspace: async (call) => workspaceView(await getWorkspace(deps, call.principal())),
    UpdateWorkspace: async (call, request) => workspaceView(await updateWorkspace(deps, call.principal(), request)),
    SwitchWorkspace: async (call, request) =>
      workspaceView(await switchWorkspace(forCall(deps, call), call.principal(), request)),
  }),
  rpcTable(rpcServices.members, {
    ListMembers: async (call, request) => ({
      members: (await listMembers(deps, call.principal(), request)).map(memberView),
    }),
    InviteMember: async (call, request) =>
      memberView(await inviteMember(withCall(deps, call), call.principal(), request)),
    ChangeMemberRole: async (call, request) => memberView(await changeMemberRole(deps, call.principal(), request)),
    RemoveMember: async (call, request) => {
      await removeMember(deps, call.principal(), request);
      return { id: request.id };
    },
  }),
  rpcTable(rpcServices.usage, {
    GetUsage: async (call) => ({ used: await deps.usage.counters.read(call.principal().workspaceId, deps.now()) }),
  }),
  rpcTable(rpcServices.identity, {
    AuthenticateUser: async (_call, request) => userView(await authenticateUser(deps, request)),
    GetConfiguration: async () => getConfiguration(deps),
  }),
  rpcTable(rpcServices.sessions, {
    BeginLogin: async (_call, request) => beginLogin(deps, request),
    FinishLogin: async ({ requestId }, { callbackUrl, browserSecret, client }) =>
      openedView(await finishLogin(deps, { callbackUrl, browserSecret, client: clientOf(client), requestId })),
    PasswordLogin: async ({ requestId }, { email, password, client }) =>
      openedView(await passwordLogin(deps, { email, password, client: clientOf(client), requestId })),
    SignUp: async ({ requestId }, { email, password, name, client }) =>
      openedView(await signUp(deps, { email, password, name, client: clientOf(client), requestId })),
    ForgotPassword: async (_call, request) => {
      await forgotPassword(deps, request);
      return {};
    },
    RefreshSession: async (_call, request) => openedView(await refreshSession(deps, request)),
    EndSession: async ({ requestId }, { secret, client }) => {
      await endSession(deps, { secret, client: clientOf(client), requestId });
      return {};
    },
    ListSessions: async (call, request) => ({
      sessions: (await listSessions(deps, call.principal(), request)).map(sessionView),
    }),
    RevokeSession: async (call, request) => {
      await revokeSession(forCall(deps, call), call.principal(), request);
      return { id: request.id };
    },
    RevokeOtherSessions: async (call, request) => ({
      count: await revokeOtherSessions(forCall(deps, call), call.principal(), request),
    }),
  }),
  rpcTable(rpcServices.apiKeys, {
    MintApiKey: async (call, request) => mintedView(await mintApiKey(withCall(deps, call), call.principal(), request)),
    ListApiKeys: async (call) => ({
      apiKeys: (await listApiKeys(deps, call.principal())).map(apiKeyView),
    }),
    VerifyApiKey: async (_call, { key }) => {
      const { apiKey, workspace } = await verifyApiKey(deps, { key });
      return { id: apiKey._id, label: apiKey.label, workspaceId: workspace._id, plan: workspace.plan };
    },
    RevokeApiKey: async (call, request) => {
      await revokeApiKey(forCall(deps, call), call.principal(), request);
      return { id: request.id };
    },
  }),
  rpcTable(rpcServices.audit, {
    ListAuditLog: async (call, query) => {
      const { entries, nextCursor } = await listAuditLog(deps, call.principal(), query);
      return { entries: entries.map(auditEntryView), ...(nextCursor !== undefined && { nextCursor }) };
    },
  }),
  rpcTable(rpcServices.idempotency, {
    BeginRequest: async (call, { key, fingerprint, holder }) =>
      beginRequest(deps, call.principal(), {
        key,
        fingerprint: Buffer.from(fingerprint),
        holder: holder && holderOf(holder),
      }),
    RenewRequests: async (_call, { claimIds }) => ({ lost: await renewRequests(deps, { claims: claimIds }) }),
    CompleteRequest: async (call, { key, claimId, answer }) => {
      await completeRequest(deps, call.principal(), { key, claim: claimId, answer });
      return {};
    },
    ReleaseRequest: async (call, { key, claimId }) => {
      await releaseRequest(deps, call.principal(), { key, claim: claimId });
      return {};
    },
    ReleaseInstance: async (_call, holder) => {
      await releaseInstance(deps, holderOf(holder));
      return {};
    },
  }),
];

/** Returns the RPC table for operators. */
export const operatorTable = (deps: Deps): RpcTable => {
  const view = async (workspace: Workspace) =>
    operatorWorkspaceView((await describeForOperators(deps, [workspace]))[0]!);
  return rpcTable(operatorServices.workspaces, {
    CreateWorkspace: async (call, request) =>
      view(await createWorkspace(forCall(deps, call), operatorOf(call), request)),
    SetPlan: async (call, request) => view(await setPlan(forCall(deps, call), operatorOf(call), request)),
    ListWorkspaces: async (_call, { after, limit }) => {
      const size = operatorPageSize(limit);
      const found = await listAllWorkspaces(deps, { after, limit: size + 1 });
      return { workspaces: found.slice(0, size).map(operatorWorkspaceView), hasMore: found.length > size };
    },
    MintApiKey: async (call, request) => mintedView(await mintApiKey(withCall(deps, call), operatorOf(call), request)),
    ListApiKeys: async (_call, request) => ({
      apiKeys: (await listWorkspaceApiKeys(deps, request)).map(apiKeyView),
    }),
    RevokeApiKey: async (call, request) => {
      await revokeApiKey(forCall(deps, call), operatorOf(call), request);
      return { id: request.id };
    },
    VerifyAuditLog: async (_call, request) => auditReportView(await verifyAudit(deps, request)),
  });
};

const holderOf = ({ process, instance }: { process: string; instance?: string }): RequestHolder => ({
  process,
  instance: instance ?? null,
});
