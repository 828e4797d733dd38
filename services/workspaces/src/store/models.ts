import { deadLetterSchema, strictSchema, type DeadLetter } from '@tautan/kit/mongo';
import { type UsageCounter, usageCounterSchema } from '@tautan/plans/usage';
import { type Connection, type Model } from 'mongoose';
import type { ApiKey } from '../api-keys/domain/api-key.js';
import type { AuditEntry, AuditHead } from '../audit/domain/audit.js';
import type { IdempotentRequest } from '../requests/domain/idempotency.js';
import type { InvitationMail, InvitationReservation } from '../members/domain/invitation.js';
import type { Login } from '../sessions/domain/login.js';
import type { Member } from '../members/domain/member.js';
import type { Session } from '../sessions/domain/session.js';
import type { User } from '../sessions/domain/user.js';
import type { Workspace } from '../workspaces/domain/workspace.js';
import type { StoredPlan } from '../plans/domain/workspace-plan.js';

/** A document that transactions lock by incrementing `holds`, so that concurrent transactions conflict. */
type Lockable<T> = T & { holds?: number };

export type StoredWorkspace = Omit<Workspace, 'plan' | 'planSources' | 'planVersion' | 'announcedPlan'> & StoredPlan;

const workspace = strictSchema<Lockable<StoredWorkspace>>({
  _id: String,
  externalId: String,
  name: String,
  plan: String,
  planVersion: Number,
  givenPlan: { type: String, default: null },
  subscription: { type: { plan: String, version: Number, at: Date }, _id: false, default: null },
  planAsOf: Date,
  linkCount: { type: Number, default: 0 },
  qrCodeCount: { type: Number, default: 0 },
  asOf: Date,
  createdAt: Date,
  holds: Number,
});
workspace.index({ externalId: 1 }, { unique: true, sparse: true });
workspace.index({ plan: 1, givenPlan: 1, 'subscription.plan': 1 });

const member = strictSchema<Lockable<Member>>({
  _id: String,
  workspaceId: String,
  externalId: { type: String, default: null },
  userId: { type: String, default: null },
  email: String,
  name: String,
  role: String,
  status: String,
  joinedAt: { type: Date, default: null },
  asOf: Date,
  createdAt: Date,
  holds: Number,
});
member.index({ workspaceId: 1, email: 1 }, { unique: true });
member.index({ workspaceId: 1, createdAt: 1, _id: 1 });
member.index({ userId: 1, status: 1, createdAt: 1, _id: 1 });
member.index({ email: 1, status: 1 });

/** A recently ended membership, stored so that older responses of the provider do not restore it. */
export interface EndedMembership {
  /** `<workspace id>/<email>` */
  _id: string;
  asOf: Date;
  expireAt: Date;
}
const endedMembership = strictSchema<EndedMembership>({ _id: String, asOf: Date, expireAt: Date });
endedMembership.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const invitationReservation = strictSchema<InvitationReservation>({
  _id: String,
  workspaceId: String,
  operationId: { type: String, default: null },
  attempt: String,
});
invitationReservation.index({ workspaceId: 1 });

const invitationMail = strictSchema<InvitationMail>({ _id: String, workspaceId: String, email: String, at: Date });
invitationMail.index({ at: 1 }, { expireAfterSeconds: 86_400 });
invitationMail.index({ workspaceId: 1, at: 1 });
invitationMail.index({ workspaceId: 1, email: 1, at: 1 });

/** An applied event. Retained for longer than the stream retains events, so that redeliveries are detected. */
export interface AppliedEvent {
  _id: string;
  at: Date;
}
const appliedEvent = strictSchema<AppliedEvent>({ _id: String, at: Date });
// Eight days, because the stream keeps events for seven.
appliedEvent.index({ at: 1 }, { expireAfterSeconds: 8 * 86_400 });

const apiKey = strictSchema<ApiKey>({
  _id: String,
  workspaceId: String,
  label: String,
  prefix: String,
  hash: Buffer,
  createdBy: { type: { type: String }, id: { type: String, default: null } },
  createdAt: Date,
  lastUsedAt: { type: Date, default: null },
  revokedAt: { type: Date, default: null },
});
apiKey.index({ hash: 1 }, { unique: true });
apiKey.index({ workspaceId: 1, revokedAt: 1, createdAt: -1, _id: -1 });

const idempotentRequest = strictSchema<IdempotentRequest>({
  _id: String,
  state: String,
  operationId: String,
  fingerprint: Buffer,
  answer: { type: { status: Number, sealed: Buffer }, _id: false, default: null },
  claim: String,
  beat: Number,
  holder: { _id: false, process: String, instance: { type: String, default: null } },
  expireAt: Date,
});
idempotentRequest.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
idempotentRequest.index({ claim: 1 }, { name: 'running', partialFilterExpression: { state: 'running' } });

const user = strictSchema<User>({
  _id: String,
  issuer: String,
  subject: String,
  email: String,
  emailVerified: Boolean,
  name: String,
  lastWorkspaceId: { type: String, default: null },
  creating: [{ _id: false, id: String, until: Date, workspaceId: String }],
  syncedAt: { type: Date, default: null },
  createdAt: Date,
});
user.index({ issuer: 1, subject: 1 }, { unique: true });
user.index({ email: 1, _id: 1 });

const session = strictSchema<Session>({
  _id: String,
  userId: String,
  ip: { type: String, default: null },
  userAgent: { type: String, default: null },
  accessToken: Buffer,
  refreshToken: { type: Buffer, default: null },
  accessExpiresAt: Date,
  version: Number,
  refreshedAt: Date,
  refreshLock: { type: { by: String, beat: Number }, _id: false, default: null },
  createdAt: Date,
  lastSeenAt: Date,
  expiresAt: Date,
});
session.index({ userId: 1, createdAt: -1, _id: -1 });
session.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const login = strictSchema<Login>({
  _id: String,
  attempt: Buffer,
  browserHash: String,
  returnTo: String,
  expiresAt: Date,
});
login.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const audit = strictSchema<AuditEntry>(
  {
    _id: String,
    workspaceId: String,
    seq: Number,
    action: String,
    actor: Object,
    target: Object,
    changes: Object,
    ip: String,
    userAgent: String,
    requestId: String,
    createdAt: Date,
    hash: Buffer,
  },
  { shardKey: { workspaceId: 1 } },
);
audit.index({ workspaceId: 1, seq: -1 }, { unique: true });
audit.index({ workspaceId: 1, _id: -1 });
audit.index({ workspaceId: 1, action: 1, _id: -1 });
audit.index({ workspaceId: 1, 'actor.id': 1, _id: -1 });
audit.index({ workspaceId: 1, 'target.id': 1, _id: -1 });

const auditHead = strictSchema<AuditHead>({ _id: String, seq: Number, hash: Buffer });

/** The collections of this service, on one connection. */
export interface Models {
  workspaces: Model<Lockable<StoredWorkspace>>;
  members: Model<Lockable<Member>>;
  endedMemberships: Model<EndedMembership>;
  invitationReservations: Model<InvitationReservation>;
  invitationMails: Model<InvitationMail>;
  usageCounters: Model<UsageCounter>;
  appliedEvents: Model<AppliedEvent>;
  deadLetters: Model<DeadLetter>;
  users: Model<User>;
  sessions: Model<Session>;
  logins: Model<Login>;
  audit: Model<AuditEntry>;
  auditHeads: Model<AuditHead>;
  apiKeys: Model<ApiKey>;
  idempotentRequests: Model<IdempotentRequest>;
}

export function createModels(connection: Connection): Models {
  return {
    workspaces: connection.model<Lockable<StoredWorkspace>>('workspaces', workspace, 'workspaces'),
    members: connection.model<Lockable<Member>>('members', member, 'members'),
    endedMemberships: connection.model<EndedMembership>('ended_memberships', endedMembership, 'ended_memberships'),
    invitationReservations: connection.model<InvitationReservation>(
      'invitation_reservations',
      invitationReservation,
      'invitation_reservations',
    ),
    invitationMails: connection.model<InvitationMail>('invitation_mails', invitationMail, 'invitation_mails'),
    usageCounters: connection.model<UsageCounter>('usage_counters', usageCounterSchema(), 'usage_counters'),
    appliedEvents: connection.model<AppliedEvent>('applied_events', appliedEvent, 'applied_events'),
    deadLetters: connection.model<DeadLetter>('dead_letters', deadLetterSchema(), 'dead_letters'),
    users: connection.model<User>('users', user, 'users'),
    sessions: connection.model<Session>('sessions', session, 'sessions'),
    logins: connection.model<Login>('logins', login, 'logins'),
    audit: connection.model<AuditEntry>('audit', audit, 'audit'),
    auditHeads: connection.model<AuditHead>('audit_heads', auditHead, 'audit_heads'),
    apiKeys: connection.model<ApiKey>('api_keys', apiKey, 'api_keys'),
    idempotentRequests: connection.model<IdempotentRequest>(
      'idempotent_requests',
      idempotentRequest,
      'idempotent_requests',
    ),
  };
}
