import { z } from 'zod';

/** A link as the API shows it; what events about links carry. */
const link = z.object({
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
  createdBy: z.object({ type: z.enum(['user', 'api_key']), id: z.string() }),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const tag = z.object({
  id: z.string(),
  name: z.string(),
  linkCount: z.number().int(),
  qrCodeCount: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const workspace = z.object({ id: z.string(), name: z.string(), plan: z.string(), createdAt: z.string() });
const member = z.object({
  id: z.string(),
  userId: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['owner', 'admin', 'member', 'viewer']),
  status: z.enum(['active', 'invited']),
  joinedAt: z.string().nullable(),
});
const session = z.object({ userId: z.string(), email: z.string() });
const apiKey = z.object({ id: z.string(), label: z.string(), prefix: z.string(), createdAt: z.string() });
const webhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  disabledReason: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** One visitor who was redirected. Country and city are null where they are unknown, the referrer where there was none. */
const click = z.object({
  linkId: z.string(),
  qrCodeId: z.string().nullable(),
  source: z.enum(['link', 'qr']),
  clickedAt: z.string(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  referrer: z.string().nullable(),
  userAgent: z.string(),
});

const aLink: z.infer<typeof link> = {
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
const aTag: z.infer<typeof tag> = {
  id: 'tag_01k8z6r7d2v4m9q0s3t5w7x9yd',
  name: 'campaign',
  linkCount: 1,
  qrCodeCount: 0,
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
};
const aMember: z.infer<typeof member> = {
  id: 'mem_01k8z6r7d2v4m9q0s3t5w7x9ye',
  userId: 'usr_01k8z6r7d2v4m9q0s3t5w7x9yc',
  email: 'ayu@example.com',
  name: 'Ayu',
  role: 'member',
  status: 'active',
  joinedAt: '2026-01-31T08:30:00.000Z',
};
const anEndpoint: z.infer<typeof webhookEndpoint> = {
  id: 'whe_01k8z6r7d2v4m9q0s3t5w7x9yf',
  url: 'https://example.com/hooks/tautan',
  events: ['*'],
  active: true,
  disabledReason: null,
  createdAt: '2026-01-31T08:30:00.000Z',
  updatedAt: '2026-01-31T08:30:00.000Z',
};
const aClick: z.infer<typeof click> = {
  linkId: aLink.id,
  qrCodeId: null,
  source: 'link',
  clickedAt: '2026-01-31T08:30:00.000Z',
  country: 'ID',
  city: 'Bandung',
  referrer: 'news.example.com',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
};
const aScan: z.infer<typeof click> = { ...aClick, qrCodeId: 'qr_01k8z6r7d2v4m9q0s3t5w7x9yg', source: 'qr' };

export interface EventDefinition {
  description: string;
  trigger: string;
  /** What the actor did, to be followed by the target's label; of types that the audit log tells. */
  audit?: string;
  data: z.ZodType;
  /** An example of `data`, for types that webhooks can subscribe to; the others are for the audit log alone. */
  webhook?: unknown;
}

/** Every event type: what it tells, what causes it, and the shape of its `data`. */
export const eventCatalogue = {
  'link.created': {
    description: 'A link was created.',
    trigger: 'POST /links, or a row of an import',
    audit: 'created the link',
    data: link,
    webhook: aLink,
  },
  'link.updated': {
    description: 'A link was changed.',
    trigger: 'PATCH /links/{id}, or a bulk action',
    audit: 'changed the link',
    data: link,
    webhook: { ...aLink, title: 'Spring sale' },
  },
  'link.deleted': {
    description: 'A link was deleted.',
    trigger: 'DELETE /links/{id}, or a bulk action',
    audit: 'deleted the link',
    data: link,
    webhook: aLink,
  },
  'link.expired': {
    description: 'A link reached its expiry date or its click limit.',
    trigger: 'The passing of expiresAt, or the last of maxClicks',
    audit: 'expired the link',
    data: link,
    webhook: { ...aLink, status: 'expired' },
  },
  'link.clicked': {
    description: 'A person followed a link. Sent for webhooks alone.',
    trigger: 'GET /{slug} by a human, by the QR code of a link as well',
    data: click,
    webhook: aClick,
  },
  'qr_code.scanned': {
    description: 'A person scanned a QR code. Sent for webhooks alone.',
    trigger: 'GET of the address that a QR code encodes, by a human',
    data: click,
    webhook: aScan,
  },
  'tag.created': {
    description: 'A tag was created.',
    trigger: 'POST /tags, or a link with a new tag',
    audit: 'created the tag',
    data: tag,
    webhook: aTag,
  },
  'tag.updated': {
    description: 'A tag was renamed.',
    trigger: 'PATCH /tags/{id}',
    audit: 'renamed the tag',
    data: tag,
    webhook: { ...aTag, name: 'spring' },
  },
  'tag.deleted': {
    description: 'A tag was deleted.',
    trigger: 'DELETE /tags/{id}',
    audit: 'deleted the tag',
    data: tag,
    webhook: aTag,
  },
  'workspace.created': {
    description: 'A workspace was created.',
    trigger: 'Its creation',
    audit: 'created the workspace',
    data: workspace,
  },
  'workspace.updated': {
    description: 'A workspace was renamed.',
    trigger: 'PATCH /workspaces/current',
    audit: 'renamed the workspace',
    data: workspace,
  },
  'workspace.switched': {
    description: 'A person made a workspace their active one.',
    trigger: 'POST /workspaces/switch',
    audit: 'switched to the workspace',
    data: workspace,
  },
  'member.invited': {
    description: 'A person was invited to a workspace.',
    trigger: 'POST /workspaces/current/members',
    audit: 'invited',
    data: member,
    webhook: { ...aMember, userId: null, status: 'invited', joinedAt: null },
  },
  'member.joined': {
    description: 'A person became a member of a workspace.',
    trigger: 'The first use of a workspace that a person was invited to, or owns',
    audit: 'welcomed',
    data: member,
    webhook: aMember,
  },
  'member.role_changed': {
    description: 'The role of a member was changed.',
    trigger: 'PATCH /workspaces/current/members/{id}, or a change at the identity provider',
    audit: 'changed the role of',
    data: member,
    webhook: { ...aMember, role: 'admin' },
  },
  'member.removed': {
    description: 'A member was removed, or an invitation withdrawn.',
    trigger: 'DELETE /workspaces/current/members/{id}, or a removal at the identity provider',
    audit: 'removed',
    data: member,
    webhook: aMember,
  },
  'webhook.test': {
    description: 'A test, sent to one endpoint whatever it subscribes to.',
    trigger: 'POST /webhooks/{id}/test',
    data: webhookEndpoint,
    webhook: anEndpoint,
  },
  'webhook_endpoint.created': {
    description: 'A webhook endpoint was registered.',
    trigger: 'POST /webhooks',
    audit: 'registered the webhook endpoint',
    data: webhookEndpoint,
  },
  'webhook_endpoint.updated': {
    description: 'A webhook endpoint was changed, paused, resumed, given a new secret, or disabled by its failures.',
    trigger: 'PATCH /webhooks/{id}, POST /webhooks/{id}/rotate-secret, or 410 or days of failures of the receiver',
    audit: 'changed the webhook endpoint',
    data: webhookEndpoint,
  },
  'webhook_endpoint.deleted': {
    description: 'A webhook endpoint was removed.',
    trigger: 'DELETE /webhooks/{id}',
    audit: 'removed the webhook endpoint',
    data: webhookEndpoint,
  },
  'export.performed': {
    description: 'The links of a workspace were exported.',
    trigger: 'GET /links/export',
    audit: 'exported',
    data: z.object({ what: z.enum(['links']) }),
  },
  'session.created': {
    description: 'A person signed in.',
    trigger: 'A sign-in by browser or password',
    audit: 'signed in as',
    data: session,
  },
  'api_key.created': {
    description: 'An API key was made.',
    trigger: 'Its minting',
    audit: 'made the API key',
    data: apiKey,
  },
  'api_key.revoked': {
    description: 'An API key was revoked.',
    trigger: 'Its revocation',
    audit: 'revoked the API key',
    data: apiKey,
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof eventCatalogue;
export type EventData<T extends EventType> = z.infer<(typeof eventCatalogue)[T]['data']>;

/** What an audit entry says in a sentence: "Ayu renamed the tag spring". Empty for a type that no log tells. */
export function auditSummary(type: string, actor: string, target: string): string {
  const definition: EventDefinition | undefined = eventCatalogue[type as EventType];
  return definition?.audit === undefined ? '' : `${actor} ${definition.audit} ${target}`.trim();
}

/** Before and after of each changed field, as the API shows them. */
export type Changes = Record<string, { before: unknown; after: unknown }>;

const envelope = z.object({
  id: z.string().startsWith('evt_'),
  type: z.enum(Object.keys(eventCatalogue) as [EventType, ...EventType[]]),
  at: z.iso.datetime(),
  workspaceId: z.string(),
  actor: z.object({ type: z.enum(['user', 'api_key', 'system']), id: z.string().nullable(), name: z.string() }),
  requestId: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  target: z.object({ type: z.string(), id: z.string(), label: z.string() }),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
});

// Made once: zod compiles a schema at its first use.
const whole = envelope.extend({ data: z.unknown() });

/** What stands on the stream EVENTS, subject `events.<type>`: one state change, told once. */
export type TautanEvent<T extends EventType = EventType> = z.infer<typeof envelope> & { type: T; data: EventData<T> };

/** Checks an event against the catalogue. Throws a ZodError that names the offending field. */
export function parseEvent(value: unknown): TautanEvent {
  const { data, ...head } = whole.parse(value);
  return { ...head, data: eventCatalogue[head.type].data.parse(data) };
}
