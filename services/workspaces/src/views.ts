import type { ApiKey } from './domain/api-key.js';
import type { AuditEntry } from './domain/audit.js';
import { memberData, type Member } from './domain/member.js';
import { workspaceData, type Workspace } from './domain/workspace.js';
import type { Person, SignInClient } from './domain/person.js';
import type { DescribedWorkspace } from './usecases/describe-workspaces.js';
import type { OverseenWorkspace } from './usecases/list-all-workspaces.js';
import type { ShownSession } from './usecases/list-sessions.js';
import type { OpenedSession } from './usecases/open-session.js';
import type { AuditVerdict } from './usecases/verify-audit.js';

/** A workspace on the wire. */
export const workspaceView = (workspace: DescribedWorkspace) => ({
  ...workspaceData(workspace),
  ...countsOf(workspace),
  role: workspace.role,
  current: workspace.current,
});

const countsOf = ({ linkCount, qrCodeCount, memberCount }: Workspace & { memberCount: number }) => ({
  // Events may come out of order, and workspaces of before they were counted have no counts.
  linkCount: Math.max(0, linkCount ?? 0),
  qrCodeCount: Math.max(0, qrCodeCount ?? 0),
  memberCount,
});

/** A workspace on the wire to operators. */
export const overseenView = (workspace: OverseenWorkspace) => ({
  ...workspaceData(workspace),
  ...countsOf(workspace),
  givenPlan: workspace.planSources.given ?? '',
  externalId: workspace.externalId ?? '',
  ...(workspace.owner && { owner: { email: workspace.owner.email, status: workspace.owner.status } }),
});

/** What the check of an audit log found, on the wire. */
export const verdictView = ({ workspaceId, entries, broken }: AuditVerdict) => ({
  workspaceId,
  entries,
  ...(broken && { broken: { ...broken, id: broken.id ?? '' } }),
});

/** A key on the wire, the only time that it is shown. */
export const mintedView = ({ _id: id, label, prefix, key, createdAt }: ApiKey & { key: string }) => ({
  id,
  label,
  prefix,
  key,
  createdAt: createdAt.toISOString(),
});

/** A member on the wire: absent where the API shows null. */
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

/** A person on the wire; without a workspace for one who belongs to none. */
export const personView = ({ user, credential, expiresAt, place }: Person) => ({
  userId: user._id,
  email: user.email,
  name: user.name,
  credential,
  expiresAt: expiresAt.toISOString(),
  ...(place && {
    workspaceId: place.workspace._id,
    workspaceName: place.workspace.name,
    plan: place.workspace.plan,
    role: place.role,
  }),
});

export const openedView = ({ secret, expiresAt, person, returnTo }: OpenedSession & { returnTo?: string }) => ({
  secret,
  expiresAt: expiresAt.toISOString(),
  person: personView(person),
  returnTo: returnTo ?? '',
});

/** Where a sign-in came from, as far as the gateway said. */
/** A session on the wire: absent where the API shows null. */
export const sessionView = ({ id, current, ip, userAgent, createdAt, lastSeenAt, expiresAt }: ShownSession) => ({
  id,
  current,
  ...(ip && { ip }),
  ...(userAgent && { userAgent }),
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

export const clientOf = (client: { ip: string; userAgent: string } | null): SignInClient => ({
  ip: client?.ip || null,
  userAgent: client?.userAgent || null,
});
