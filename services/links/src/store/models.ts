import { deadLetterSchema, schemaOptions, strictSchema, type DeadLetter } from '@tautan/kit/mongo';
import { type UsageCounter, usageCounterSchema } from '@tautan/plans/usage';
import { Schema, type Connection, type Model } from 'mongoose';
import type { CustomDomain } from '../domains/domain/custom-domain.js';
import type { Link, Tag } from '../links/domain/link.js';
import type { QrCodeData } from '../qr-routes/domain/qr-route.js';
import type { Route } from '../redirects/domain/route.js';

/** Marks a batch of clicks as applied. Kept longer than the stream keeps batches, so that every redelivery finds it. */
export interface AppliedBatch {
  /** Id of the batch. */
  _id: string;
  at: Date;
}

/** The random salt of a UTC day (YYYY-MM-DD) for visitor ids, kept for two days. */
export interface DailySalt {
  _id: string;
  salt: Buffer;
  expireAt: Date;
}

/** A deleted tag that some links or QR codes may still have. Removed when none has it anymore. */
export interface TagRemoval {
  /** Id of the tag. */
  _id: string;
  workspaceId: string;
  at: Date;
}

/** A snapshot of a list whose sort key changes with clicks. */
export interface ListSnapshot {
  /** A ULID. */
  _id: string;
  workspaceId: string;
  /** Sort key, direction and filters. */
  query: string;
  /** Digest of the set of ids. */
  digest: string;
  /** Number of ids. */
  count: number;
  at: Date;
  expireAt: Date;
}

/** A part of a list snapshot. */
export interface ListSnapshotChunk {
  /** `<workspace id>/<snapshot id>/<chunk number>` */
  _id: string;
  /** Packed; see `packIds`. */
  ids: Buffer;
  expireAt: Date;
}

/**
 * Clicks of a subject (a link, a QR code or a workspace) on a UTC day, or in a quarter hour. `stats/store/stats.ts`
 * declares the other fields.
 */
export interface StatsPeriod {
  /** See `dayId`, `tallyId` and `quarterId`. */
  _id: string;
  workspaceId: string;
  expireAt: Date;
  /**
   * Time after which the day of a tally can be closed. A tally is a separate document with the counts of a busy day.
   * Only tallies of links and QR codes have this field, until the day is closed. Closing a day stores its counts in a
   * form that is fast to read.
   */
  closeAt?: Date;
}

/** The plan of a workspace, as reported by the newest event. */
export interface WorkspacePlan {
  /** Id of the workspace. */
  _id: string;
  plan: string;
  /** Version of the workspace in the event that reported the plan. */
  version: number;
  /** The plan that determined the expiry of the workspace's stored statistics. */
  datedBy: string;
}

const link = strictSchema<Link>(
  {
    _id: String,
    workspaceId: String,
    domain: { type: String, default: null },
    slug: String,
    slugKey: String,
    url: String,
    title: { type: String, default: null },
    description: { type: String, default: null },
    tags: [String],
    status: String,
    expiresAt: { type: Date, default: null },
    maxClicks: { type: Number, default: null },
    clickCount: { type: Number, default: 0 },
    lastClickAt: { type: Date, default: null },
    qrCodeCount: { type: Number, default: 0 },
    createdBy: { type: { type: String }, id: String },
    createdAt: Date,
    updatedAt: Date,
    countedIn: String,
  },
  { shardKey: { workspaceId: 1 } },
);
link.index({ workspaceId: 1, createdAt: -1, _id: -1 });
link.index({ workspaceId: 1, clickCount: -1, _id: -1 });
link.index({ workspaceId: 1, lastClickAt: -1, _id: -1 });
link.index({ workspaceId: 1, tags: 1, createdAt: -1, _id: -1 });
link.index({ workspaceId: 1, status: 1, createdAt: -1, _id: -1 });
link.index({ workspaceId: 1, domain: 1, slugKey: 1 }, { unique: true });

const tag = strictSchema<Tag>({
  _id: String,
  workspaceId: String,
  name: String,
  nameKey: String,
  linkCount: { type: Number, default: 0 },
  qrCodeCount: { type: Number, default: 0 },
  createdAt: Date,
  updatedAt: Date,
});
tag.index({ workspaceId: 1, nameKey: 1 }, { unique: true });

const route = strictSchema<Route>(
  {
    _id: String,
    workspaceId: String,
    linkId: String,
    qrId: { type: String, default: null },
    via: String,
    url: String,
    status: String,
    expiresAt: { type: Date, default: null },
    maxClicks: { type: Number, default: null },
    remaining: { type: Number, default: null },
    // These two fields are absent by default: the routes of links have neither.
    follows: Schema.Types.Mixed,
    pages: Schema.Types.Mixed,
    purgeAt: { type: Date, default: null },
  },
  { shardKey: { _id: 'hashed' } },
);
route.index({ purgeAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { status: 'deleted' } });
// For counting QR codes by workspace, and for updating them with their link.
route.index({ workspaceId: 1, linkId: 1 }, { partialFilterExpression: { via: 'qr' } });
// For the expiry sweeps of links and QR codes: routes that have expired or reached their click limit.
route.index({ via: 1, status: 1, expiresAt: 1 });
route.index({ via: 1, status: 1, remaining: 1 });

const qrCodeData = strictSchema<QrCodeData>({
  _id: String,
  workspaceId: String,
  linkId: { type: String, default: null },
  slug: String,
  tags: [String],
  version: Number,
  scanCount: { type: Number, default: 0 },
  lastScanAt: { type: Date, default: null },
  createdAt: Date,
  purgeAt: { type: Date, default: null },
});
qrCodeData.index({ workspaceId: 1, tags: 1 });
qrCodeData.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const domain = strictSchema<CustomDomain>({
  _id: String,
  workspaceId: String,
  name: String,
  token: String,
  status: String,
  lastLookup: { type: Object, default: null },
  lastCheckedAt: { type: Date, default: null },
  lastError: { type: String, default: null },
  verifiedAt: { type: Date, default: null },
  failingSince: { type: Date, default: null },
  nextCheckAt: { type: Date, default: null },
  linkCount: { type: Number, default: 0 },
  createdAt: Date,
  pages: Schema.Types.Mixed,
});
domain.index({ workspaceId: 1, name: 1 }, { unique: true });
// Several workspaces may add a name, but only one can verify it.
domain.index({ name: 1 }, { unique: true, partialFilterExpression: { status: 'verified' } });
domain.index({ status: 1, nextCheckAt: 1 });

const appliedBatch = strictSchema<AppliedBatch>({ _id: String, at: Date });
// Four days, because the stream keeps a batch for three.
appliedBatch.index({ at: 1 }, { expireAfterSeconds: 4 * 86_400 });

const dailySalt = strictSchema<DailySalt>({ _id: String, salt: Buffer, expireAt: Date });
dailySalt.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const listSnapshot = strictSchema<ListSnapshot>({
  _id: String,
  workspaceId: String,
  query: String,
  digest: String,
  count: Number,
  at: Date,
  expireAt: Date,
});
// Newest first.
listSnapshot.index({ workspaceId: 1, _id: -1 });
listSnapshot.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const listSnapshotChunk = strictSchema<ListSnapshotChunk>({ _id: String, ids: Buffer, expireAt: Date });
listSnapshotChunk.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const tagRemoval = strictSchema<TagRemoval>({ _id: String, workspaceId: String, at: Date });

const workspacePlan = strictSchema<WorkspacePlan>({ _id: String, plan: String, version: Number, datedBy: String });

const statsPeriod = new Schema<StatsPeriod>(
  { _id: String, workspaceId: String, expireAt: Date },
  // Sharded by range, because a subject's days are read together and their ids begin with the id of the subject.
  { ...schemaOptions, strict: false, shardKey: { _id: 1 } },
);
statsPeriod.index({ workspaceId: 1 });
statsPeriod.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const statsDay = statsPeriod.clone().add({ closeAt: Date });
// For days that are not closed yet.
statsDay.index({ closeAt: 1 }, { sparse: true });

/**
 * Human clicks of a workspace in a calendar month, by partition of the click stream, so that partitions never contend.
 */
export interface ClickUsage {
  /** `<workspace id>/<YYYY-MM>/<partition>` */
  _id: string;
  used: number;
  expireAt: Date;
}

const clickUsage = strictSchema<ClickUsage>({ _id: String, used: Number, expireAt: Date });
clickUsage.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** Records that a workspace was notified of a usage threshold. */
export interface UsageNotice {
  /** `<workspace id>/<YYYY-MM>/<limit>/<percent>` */
  _id: string;
  expireAt: Date;
}

const usageNotice = strictSchema<UsageNotice>({ _id: String, expireAt: Date });
usageNotice.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** The collections of this service, on one connection. */
export interface Models {
  links: Model<Link>;
  tags: Model<Tag>;
  routes: Model<Route>;
  qrCodeData: Model<QrCodeData>;
  domains: Model<CustomDomain>;
  appliedBatches: Model<AppliedBatch>;
  deadLetters: Model<DeadLetter>;
  dailySalts: Model<DailySalt>;
  tagRemovals: Model<TagRemoval>;
  listSnapshots: Model<ListSnapshot>;
  listSnapshotChunks: Model<ListSnapshotChunk>;
  workspacePlans: Model<WorkspacePlan>;
  statsDays: Model<StatsPeriod>;
  statsQuarters: Model<StatsPeriod>;
  usageCounters: Model<UsageCounter>;
  clickUsage: Model<ClickUsage>;
  usageNotices: Model<UsageNotice>;
}

export function createModels(connection: Connection): Models {
  return {
    links: connection.model<Link>('links', link, 'links'),
    tags: connection.model<Tag>('tags', tag, 'tags'),
    routes: connection.model<Route>('redirects', route, 'redirects'),
    qrCodeData: connection.model<QrCodeData>('qr_targets', qrCodeData, 'qr_targets'),
    domains: connection.model<CustomDomain>('domains', domain, 'domains'),
    appliedBatches: connection.model<AppliedBatch>('applied_batches', appliedBatch, 'applied_batches'),
    deadLetters: connection.model<DeadLetter>('dead_letters', deadLetterSchema(), 'dead_letters'),
    dailySalts: connection.model<DailySalt>('daily_salts', dailySalt, 'daily_salts'),
    tagRemovals: connection.model<TagRemoval>('tag_removals', tagRemoval, 'tag_removals'),
    listSnapshots: connection.model<ListSnapshot>('list_orders', listSnapshot, 'list_orders'),
    listSnapshotChunks: connection.model<ListSnapshotChunk>(
      'list_order_chunks',
      listSnapshotChunk,
      'list_order_chunks',
    ),
    workspacePlans: connection.model<WorkspacePlan>('workspace_plans', workspacePlan, 'workspace_plans'),
    statsDays: connection.model<StatsPeriod>('stats_days', statsDay, 'stats_days'),
    statsQuarters: connection.model<StatsPeriod>('stats_quarters', statsPeriod, 'stats_quarters'),
    usageCounters: connection.model<UsageCounter>('usage_counters', usageCounterSchema(), 'usage_counters'),
    clickUsage: connection.model<ClickUsage>('click_usage', clickUsage, 'click_usage'),
    usageNotices: connection.model<UsageNotice>('usage_notices', usageNotice, 'usage_notices'),
  };
}
