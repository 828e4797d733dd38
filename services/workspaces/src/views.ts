import type { ApiKey } from './api-keys/domain/api-key.js';
import type { AuditEntry } from './audit/domain/audit.js';
import { memberData, type Member } from './members/domain/member.js';
import { workspaceData, type Workspace } from './workspaces/domain/workspace.js';
import type { AuthenticatedUser, SignInClient } from './sessions/domain/authenticated-user.js';
import type { DescribedWorkspace } from './workspaces/steps/describe-workspaces.js';
import type { OperatorWorkspace } from './workspaces/steps/operator-workspaces.js';
import type { PublicSession } from './sessions/usecases/list-sessions.js';
import type { OpenedSession } from './sessions/steps/open-session.js';
import type { AuditReport } from './audit/usecases/verify-audit.js';

/** Converts a workspace to protobuf. */
export const workspaceView = (workspace: DescribedWorkspace) => ({
  ...workspaceData(workspace),
  ...countsOf(workspace),
  role: workspace.role,
  current: workspace.current,
});

const countsOf = ({ linkCount, qrCodeCount, memberCount }: Workspace & { memberCount: number }) => ({
  // Events may be out of order, and workspaces of earlier versions have no counts.
  linkCount: Math.max(0, linkCount ?? 0),
  qrCodeCount: Math.max(0, qrCodeCount ?? 0),
  memberCount,
});

/** Converts a workspace to protobuf, for operators. */
export const operatorWorkspaceView = (workspace: OperatorWorkspace) => ({
  ...workspaceData(workspace),
  ...countsOf(workspace),
  givenPlan: workspace.planSources.given ?? '',
  externalId: workspace.externalId ?? '',
  ...(workspace.owner && { owner: { email: workspace.owner.email, status: workspace.owner.status } }),
});

/** Converts the result of an audit log check to protobuf. */
export const auditReportView = ({ workspaceId, entries, broken }: AuditReport) => ({
  workspaceId,
  entries,
  ...(broken && { broken: { ...broken, id: broken.id ?? '' } }),
});

/** Converts a new key to protobuf, including its secret. */
export const mintedView = ({ _id: id, label, prefix, key, createdAt }: ApiKey & { key: string }) => ({
  id,
  label,
  prefix,
  key,
  createdAt: createdAt.toISOString(),
});

/** Converts a member to protobuf, which omits null fields. */
export function memberView(member: Member) {
  const { userId, joinedAt, ...rest } = memberData(member);
  return { ...rest, ...(userId !== null && { userId }), ...(joinedAt !== null && { joinedAt }) };
}

export const apiKeyView = ({ _id, label, prefix, lastUsedAt, createdBy, createdAt }: ApiKey) => ({
  id: _id,
  label,
  prefix,
  createdByType: createdBy.type,
  createdAt: createdAt.toISOString(),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  ...(createdBy.id !== null && { createdById: createdBy.id }),
});

export const auditEntryView = ({
  _id,
  action,
  actor,
  target,
  changes,
  ip,
  userAgent,
  requestId,
  createdAt,
}: AuditEntry) => ({
  id: _id,
  action,
  actorType: actor.type,
  actorName: actor.name,
  targetType: target.type,
  targetId: target.id,
  targetLabel: target.label,
  changes: JSON.stringify(changes),
  createdAt: createdAt.toISOString(),
  ...(actor.id !== null && { actorId: actor.id }),
  ...(ip !== null && { ip }),
  ...(userAgent !== null && { userAgent }),
  ...(requestId !== null && { requestId }),
});

/** Converts a user and their current workspace to protobuf. Omits the workspace if the user belongs to none. */
export const userView = ({ user, credentialKind, expiresAt, current }: AuthenticatedUser) => ({
  userId: user._id,
  email: user.email,
  name: user.name,
  credentialKind,
  expiresAt: expiresAt.toISOString(),
  ...(current && {
    workspaceId: current.workspace._id,
    workspaceName: current.workspace.name,
    plan: current.workspace.plan,
    role: current.role,
  }),
});

export const openedView = ({ secret, expiresAt, user, returnTo }: OpenedSession & { returnTo?: string }) => ({
  secret,
  expiresAt: expiresAt.toISOString(),
  user: userView(user),
  returnTo: returnTo ?? '',
});

/** Converts a session to protobuf, which omits null fields. */
export const sessionView = ({ id, current, ip, userAgent, createdAt, lastSeenAt, expiresAt }: PublicSession) => ({
  id,
  current,
  ...(ip && { ip }),
  ...(userAgent && { userAgent }),
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

/** Converts the client of a sign-in from protobuf, which has empty strings for unknown values. */
export const clientOf = (client: { ip: string; userAgent: string } | null): SignInClient => ({
  ip: client?.ip || null,
  userAgent: client?.userAgent || null,
});
