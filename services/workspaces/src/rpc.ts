import { operatorOf } from '@tautan/kit';
import { operatorPage } from '@tautan/kit/operator';
import { forCall, rpcTable, type RpcTable } from '@tautan/kit/rpc';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import type { RequestHolder } from './requests/domain/idempotency.js';
import type { Workspace } from './workspaces/domain/workspace.js';
import { authenticatePerson } from './sessions/usecases/authenticate-person.js';
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
import { listAllWorkspaces, describeForOperators } from './workspaces/usecases/list-all-workspaces.js';
import { listAuditLog } from './audit/usecases/list-audit-log.js';
import { listApiKeys, listApiKeysOfWorkspace } from './api-keys/usecases/list-api-keys.js';
import { listMembers } from './members/usecases/list-members.js';
import { listSessions } from './sessions/usecases/list-sessions.js';
import { listWorkspaces } from './workspaces/usecases/list-workspaces.js';
import { mintApiKey } from './api-keys/usecases/mint-api-key.js';
import { passwordLogin } from './sessions/usecases/password-login.js';
import { refreshSession } from './sessions/usecases/refresh-session.js';
import { releaseInstance, releaseRequest } from './requests/usecases/release-request.js';
import { removeMember } from './members/usecases/remove-member.js';
import { renewRequests } from './requests/usecases/renew-requests.js';
import { revokeApiKey } from './api-keys/usecases/revoke-api-key.js';
import { revokeOtherSessions, revokeSession } from './sessions/usecases/revoke-session.js';
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
  personView,
  sessionView,
  auditReportView,
  workspaceView,
} from './views.js';

/** The dependencies of all use cases. */
export type Deps = SignInDeps &
  Parameters<typeof setPlan>[0] &
  Parameters<typeof mintApiKey>[0] &
  Parameters<typeof verifyApiKey>[0] &
  Parameters<typeof revokeApiKey>[0] &
  Parameters<typeof beginRequest>[0] &
  Parameters<typeof listAuditLog>[0];

/** Returns the RPC tables of this service. */
export const rpcTables = (deps: Deps): RpcTable[] => [
  rpcTable(rpcServices.workspaces, {
    CreateOwnWorkspace: async (call, request) =>
      workspaceView(await createOwnWorkspace(deps, { ...request, by: call.principal(), signal: call.signal })),
    ListWorkspaces: async (call, { credential }) => ({
      workspaces: (await listWorkspaces(deps, { by: call.principal(), credential })).map(workspaceView),
    }),
    GetWorkspace: async (call) => workspaceView(await getWorkspace(deps, { by: call.principal() })),
    UpdateWorkspace: async (call, { credential, name }) =>
      workspaceView(await updateWorkspace(deps, { by: call.principal(), credential, name })),
    SwitchWorkspace: async (call, { workspaceId }) =>
      workspaceView(await switchWorkspace(forCall(deps, call), { by: call.principal(), workspaceId })),
  }),
  rpcTable(rpcServices.members, {
    ListMembers: async (call, { credential }) => ({
      members: (await listMembers(deps, { by: call.principal(), credential })).map(memberView),
    }),
    InviteMember: async (call, request) =>
      memberView(await inviteMember(deps, { ...request, by: call.principal(), signal: call.signal })),
    ChangeMemberRole: async (call, { credential, id, role }) =>
      memberView(await changeMemberRole(deps, { by: call.principal(), credential, id, role })),
    RemoveMember: async (call, { credential, id }) => {
      await removeMember(deps, { by: call.principal(), credential, id });
      return { id };
    },
  }),
  rpcTable(rpcServices.usage, {
    GetUsage: async (call) => ({ used: await deps.usage.counters.read(call.principal().workspaceId, deps.now()) }),
  }),
  rpcTable(rpcServices.identity, {
    AuthenticatePerson: async (_call, { credential, workspaceId }) =>
      personView(await authenticatePerson(deps, { credential, workspaceId })),
    GetConfiguration: async () => getConfiguration(deps),
  }),
  rpcTable(rpcServices.sessions, {
    BeginLogin: async (_call, { returnTo, redirectUri }) => beginLogin(deps, { returnTo, redirectUri }),
    FinishLogin: async ({ requestId }, { callbackUrl, browserSecret, client }) =>
      openedView(await finishLogin(deps, { callbackUrl, browserSecret, client: clientOf(client), requestId })),
    PasswordLogin: async ({ requestId }, { email, password, client }) =>
      openedView(await passwordLogin(deps, { email, password, client: clientOf(client), requestId })),
    SignUp: async ({ requestId }, { email, password, name, client }) =>
      openedView(await signUp(deps, { email, password, name, client: clientOf(client), requestId })),
    ForgotPassword: async (_call, { email }) => {
      await forgotPassword(deps, { email });
      return {};
    },
    RefreshSession: async (_call, { secret }) => openedView(await refreshSession(deps, { secret })),
    EndSession: async ({ requestId }, { secret, client }) => {
      await endSession(deps, { secret, client: clientOf(client), requestId });
      return {};
    },
    ListSessions: async (call, { credential }) => ({
      sessions: (await listSessions(deps, { by: call.principal(), credential })).map(sessionView),
    }),
    RevokeSession: async (call, { id }) => {
      await revokeSession(forCall(deps, call), { by: call.principal(), id });
      return { id };
    },
    RevokeOtherSessions: async (call, { credential }) => ({
      count: await revokeOtherSessions(forCall(deps, call), { by: call.principal(), credential }),
    }),
  }),
  rpcTable(rpcServices.apiKeys, {
    MintApiKey: async (call, request) =>
      mintedView(await mintApiKey(deps, { ...request, by: call.principal(), signal: call.signal })),
    ListApiKeys: async (call) => ({
      apiKeys: (await listApiKeys(deps, { by: call.principal() })).map(apiKeyView),
    }),
    VerifyApiKey: async (_call, { key }) => {
      const { apiKey, workspace } = await verifyApiKey(deps, { key });
      return { id: apiKey._id, label: apiKey.label, workspaceId: workspace._id, plan: workspace.plan };
    },
    RevokeApiKey: async (call, { workspaceId, id }) => {
      await revokeApiKey(forCall(deps, call), { by: call.principal(), workspaceId, id });
      return { id };
    },
  }),
  rpcTable(rpcServices.audit, {
    ListAuditLog: async (call, query) => {
      const { entries, nextCursor } = await listAuditLog(deps, { by: call.principal(), ...query });
      return { entries: entries.map(auditEntryView), ...(nextCursor !== undefined && { nextCursor }) };
    },
  }),
  rpcTable(rpcServices.idempotency, {
    BeginRequest: async (call, { key, fingerprint, holder }) =>
      beginRequest(deps, {
        by: call.principal(),
        key,
        fingerprint: Buffer.from(fingerprint),
        holder: holder && holderOf(holder),
      }),
    RenewRequests: async (_call, { claimIds }) => ({ lost: await renewRequests(deps, { claims: claimIds }) }),
    CompleteRequest: async (call, { key, claimId, answer }) => {
      await completeRequest(deps, { by: call.principal(), key, claim: claimId, answer });
      return {};
    },
    ReleaseRequest: async (call, { key, claimId }) => {
      await releaseRequest(deps, { by: call.principal(), key, claim: claimId });
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
      view(await createWorkspace(forCall(deps, call), { ...request, by: operatorOf(call) })),
    SetPlan: async (call, request) => view(await setPlan(forCall(deps, call), { ...request, by: operatorOf(call) })),
    ListWorkspaces: async (_call, { after, limit }) => {
      const size = operatorPage(limit);
      const found = await listAllWorkspaces(deps, { after, limit: size + 1 });
      return { workspaces: found.slice(0, size).map(operatorWorkspaceView), hasMore: found.length > size };
    },
    MintApiKey: async (call, request) =>
      mintedView(await mintApiKey(deps, { ...request, by: operatorOf(call), signal: call.signal })),
    ListApiKeys: async (_call, { workspaceId }) => ({
      apiKeys: (await listApiKeysOfWorkspace(deps, workspaceId)).map(apiKeyView),
    }),
    RevokeApiKey: async (call, { workspaceId, id }) => {
      await revokeApiKey(forCall(deps, call), { by: operatorOf(call), workspaceId, id });
      return { id };
    },
    VerifyAuditLog: async (_call, { workspaceId }) => auditReportView(await verifyAudit(deps, workspaceId)),
  });
};

const holderOf = ({ process, instance }: { process: string; instance?: string }): RequestHolder => ({
  process,
  instance: instance ?? null,
});
