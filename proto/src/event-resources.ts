import { z } from 'zod';
import { listedPlanNames, planNames } from './plans.js';

// What events carry: resources as the API shows them, each with an example.

const createdBy = z.object({ type: z.enum(['user', 'api_key']), id: z.string() });

/** A link as the API shows it; what events about links carry. */
export const link = z.object({
  id: z.string(),
  slug: z.string(),
  domain: z.string().nullable(),
  shortUrl: z.string(),
  url: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(['active', 'expired', 'archived']),
  expiresAt: z.string().nullable(),
  maxClicks: z.number().int().nullable(),
  clickCount: z.number().int(),
  lastClickAt: z.string().nullable(),
  qrCodeCount: z.number().int(),
  createdBy,
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A QR code; `shortUrl` is what it encodes. */
export const qrCode = z.object({
  id: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  linkId: z.string().nullable(),
  slug: z.string(),
  shortUrl: z.string(),
  styleConfig: z.record(z.string(), z.unknown()),
  logoRunRef: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(['active', 'expired', 'archived']),
  expiresAt: z.string().nullable(),
  maxScans: z.number().int().nullable(),
  scanCount: z.number().int(),
  lastScanAt: z.string().nullable(),
  createdBy,
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** Absent in events of versions before 0.2. */
const laterText = z.string().nullable().default(null);

export const domain = z.object({
  id: z.string(),
  domain: z.string(),
  status: z.enum(['pending', 'verified', 'failed']),
  dnsRecords: z.array(
    z.object({
      type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']),
      name: z.string(),
      value: z.string(),
      purpose: z.enum(['ownership', 'routing']),
      found: z.array(z.string()),
      ok: z.boolean(),
    }),
  ),
  verifiedAt: z.string().nullable(),
  lastCheckedAt: z.string().nullable(),
  lastError: z.string().nullable(),
  linkCount: z.number().int(),
  createdAt: z.string(),
  brandName: laterText,
  brandLogoUrl: laterText,
  brandColor: laterText,
  rootUrl: laterText,
  notFoundUrl: laterText,
  expiredUrl: laterText,
});

export const subscription = z.object({
  id: z.string(),
  plan: z.enum(listedPlanNames),
  status: z.enum(['none', 'active', 'past_due', 'canceled']),
  currency: z.enum(['IDR', 'USD']),
  currentPeriodStart: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  pendingPlan: z.enum(listedPlanNames).nullable(),
});

/** A soft limit of the plan that a workspace has reached by a share, in percent. */
export const usageThreshold = z.object({
  limit: z.enum(['clicks']),
  /** Calendar month in UTC, `YYYY-MM`. */
  period: z.string(),
  threshold: z.union([z.literal(80), z.literal(100)]),
  used: z.number().int(),
  max: z.number().int(),
  plan: z.enum(planNames),
});

export const tag = z.object({
  id: z.string(),
  name: z.string(),
  linkCount: z.number().int(),
  qrCodeCount: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const workspace = z.object({ id: z.string(), name: z.string(), plan: z.enum(planNames), createdAt: z.string() });
export const member = z.object({
  id: z.string(),
  userId: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['owner', 'admin', 'member', 'viewer']),
  status: z.enum(['active', 'invited']),
  joinedAt: z.string().nullable(),
});
export const session = z.object({ userId: z.string(), email: z.string() });
/** `reason`: the session was ended by its user, because the identity provider refused its refresh, or with the user's last membership. */
export const endedSession = session.extend({ reason: z.enum(['signed_out', 'refresh_refused', 'member_removed']) });
export const delivery = z.object({
  id: z.string(),
  subscriptionId: z.string(),
  eventId: z.string(),
  type: z.string(),
});
export const qrLogo = z.object({ id: z.string(), width: z.number(), height: z.number(), bytes: z.number() });
export const downloadToken = z.object({ qrCodeId: z.string(), expiresAt: z.string() });
export const checkout = z.object({ sessionId: z.string(), plan: z.string(), currency: z.string() });
export const apiKey = z.object({ id: z.string(), label: z.string(), prefix: z.string(), createdAt: z.string() });
export const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  disabledReason: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** One visitor who was redirected; `linkId` is null for a QR code that stands alone. Country and city are null where they are unknown, the referrer where there was none. */
export const click = z.object({
  linkId: z.string().nullable(),
  qrCodeId: z.string().nullable(),
  source: z.enum(['link', 'qr']),
  clickedAt: z.string(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  referrer: z.string().nullable(),
  userAgent: z.string(),
});

export const aLink: z.infer<typeof link> = {
  id: 'lnk_01k8z6r7d2v4m9q0s3t5w7x9yb',
  slug: 'promo',
  domain: null,
  shortUrl: 'https://go.example.com/promo',
  url: 'https://example.com/sale',
  title: 'Sale',
  description: null,
  tags: ['campaign'],
  status: 'active',
  expiresAt: null,
  maxClicks: null,
  clickCount: 0,
  lastClickAt: null,
  qrCodeCount: 0,
  createdBy: { type: 'user', id: 'usr_01k8z6r7d2v4m9q0s3t5w7x9yc' },
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
};
export const aTag: z.infer<typeof tag> = {
  id: 'tag_01k8z6r7d2v4m9q0s3t5w7x9yd',
  name: 'campaign',
  linkCount: 1,
  qrCodeCount: 0,
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
};
export const aMember: z.infer<typeof member> = {
  id: 'mem_01k8z6r7d2v4m9q0s3t5w7x9ye',
  userId: 'usr_01k8z6r7d2v4m9q0s3t5w7x9yc',
  email: 'ayu@example.com',
  name: 'Ayu',
  role: 'member',
  status: 'active',
  joinedAt: '2026-01-31T08:30:00.000Z',
};
export const anEndpoint: z.infer<typeof webhookEndpoint> = {
  id: 'whe_01k8z6r7d2v4m9q0s3t5w7x9yf',
  url: 'https://example.com/hooks/tautan',
  events: ['*'],
  active: true,
  disabledReason: null,
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
};
export const aClick: z.infer<typeof click> = {
  linkId: aLink.id,
  qrCodeId: null,
  source: 'link',
  clickedAt: '2026-01-31T08:30:00.000Z',
  country: 'ID',
  city: 'Bandung',
  referrer: 'news.example.com',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
};
export const aQrCode: z.infer<typeof qrCode> = {
  id: 'qr_01k8z6r7d2v4m9q0s3t5w7x9yg',
  title: 'Poster',
  url: aLink.url,
  linkId: aLink.id,
  slug: 'poster',
  shortUrl: 'https://go.example.com/poster',
  styleConfig: { foreground: '#000000', background: '#ffffff', size: 600, margin: 2, errorCorrection: 'M' },
  logoRunRef: null,
  tags: ['campaign'],
  status: 'active',
  expiresAt: null,
  maxScans: null,
  scanCount: 0,
  lastScanAt: null,
  createdBy: aLink.createdBy,
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
};
export const aDomain: z.infer<typeof domain> = {
  id: 'dom_01k8z6r7d2v4m9q0s3t5w7x9yh',
  domain: 'go.example.com',
  status: 'pending',
  dnsRecords: [
    {
      type: 'CNAME',
      name: 'go.example.com',
      value: 'links.example.net',
      purpose: 'routing',
      found: [],
      ok: false,
    },
  ],
  verifiedAt: null,
  lastCheckedAt: null,
  lastError: null,
  linkCount: 0,
  createdAt: '2026-01-31T08:30:00.000Z',
  brandName: null,
  brandLogoUrl: null,
  brandColor: null,
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
};
export const aSubscription: z.infer<typeof subscription> = {
  id: 'sub_01k8z6r7d2v4m9q0s3t5w7x9yj',
  plan: 'PRO',
  status: 'active',
  currency: 'IDR',
  currentPeriodStart: '2026-01-31T08:30:00.000Z',
  currentPeriodEnd: '2026-02-28T08:30:00.000Z',
  cancelAtPeriodEnd: false,
  pendingPlan: null,
};
export const aUsageThreshold: z.infer<typeof usageThreshold> = {
  limit: 'clicks',
  period: '2026-01',
  threshold: 80,
  used: 8_004,
  max: 10_000,
  plan: 'FREE',
};
export const aScan: z.infer<typeof click> = { ...aClick, qrCodeId: aQrCode.id, source: 'qr' };
