import { deadLetterSchema, strictSchema, type DeadLetter } from '@tautan/kit/mongo';
import { type UsageCounter, usageCounterSchema } from '@tautan/plans/usage';
import { type Connection, type Model } from 'mongoose';
import type { QrCode } from '../domain/qr-code.js';
import type { DownloadToken } from './download-tokens.js';
import type { Logo, LogoUploads } from './logos.js';

const DAY_S = 86_400;
const DEAD_LETTER_DAYS = 90;

const qrCode = strictSchema<QrCode>(
  {
    _id: String,
    workspaceId: String,
    title: { type: String, default: null },
    url: { type: String, default: null },
    linkId: { type: String, default: null },
    followed: { type: Object, default: null },
    slug: { type: String, default: null },
    styleConfig: Object,
    logoRunRef: { type: String, default: null },
    tagIds: [String],
    status: String,
    expiresAt: { type: Date, default: null },
    maxScans: { type: Number, default: null },
    state: String,
    version: Number,
    pending: { type: Object, default: null },
    dueAt: { type: Date, default: null },
    createdBy: { type: { type: String }, id: String },
    createdAt: Date,
    updatedAt: Date,
  },
  { shardKey: { workspaceId: 1 } },
);
qrCode.index({ workspaceId: 1, state: 1, _id: -1 });
qrCode.index({ workspaceId: 1, linkId: 1, _id: -1 });
qrCode.index({ workspaceId: 1, status: 1, _id: -1 });
qrCode.index({ workspaceId: 1, tagIds: 1, _id: -1 });
qrCode.index({ dueAt: 1 });
// Partial, so that codes without a logo are not indexed. A query for the id of a logo can use these indexes, because
// equality with an id implies the filter expression.
qrCode.index({ workspaceId: 1, logoRunRef: 1 }, { partialFilterExpression: { logoRunRef: { $gt: '' } } });
qrCode.index(
  { workspaceId: 1, 'pending.set.logoRunRef': 1 },
  { partialFilterExpression: { 'pending.set.logoRunRef': { $gt: '' } } },
);

const logo = strictSchema<Logo>({
  _id: String,
  workspaceId: String,
  content: Buffer,
  width: Number,
  height: Number,
  sha256: String,
  createdAt: Date,
  usedAt: Date,
});
logo.index({ workspaceId: 1, sha256: 1 }, { unique: true });
logo.index({ usedAt: 1 });

const logoUploads = strictSchema<LogoUploads>({ _id: String, uploads: Number });

const downloadToken = strictSchema<DownloadToken>({
  _id: String,
  operationId: String,
  workspaceId: String,
  qrCodeId: String,
  expiresAt: Date,
});
downloadToken.index({ operationId: 1 });
downloadToken.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const deadLetter = deadLetterSchema();
deadLetter.index({ at: 1 }, { expireAfterSeconds: DEAD_LETTER_DAYS * DAY_S });

/** The collections of this service, on one connection. */
export interface Models {
  qrCodes: Model<QrCode>;
  logos: Model<Logo>;
  logoUploads: Model<LogoUploads>;
  downloadTokens: Model<DownloadToken>;
  deadLetters: Model<DeadLetter>;
  usageCounters: Model<UsageCounter>;
}

export const createModels = (connection: Connection): Models => ({
  qrCodes: connection.model<QrCode>('qr_codes', qrCode, 'qr_codes'),
  logos: connection.model<Logo>('logos', logo, 'logos'),
  logoUploads: connection.model<LogoUploads>('logo_uploads', logoUploads, 'logo_uploads'),
  downloadTokens: connection.model<DownloadToken>('download_tokens', downloadToken, 'download_tokens'),
  deadLetters: connection.model<DeadLetter>('dead_letters', deadLetter, 'dead_letters'),
  usageCounters: connection.model<UsageCounter>('usage_counters', usageCounterSchema(), 'usage_counters'),
});
