import { z } from 'zod';
import {
  aClick,
  aDomain,
  aLink,
  aMember,
  anEndpoint,
  apiKey,
  checkout,
  aQrCode,
  aScan,
  aSubscription,
  aTag,
  aUsageThreshold,
  click,
  delivery,
  domain,
  downloadToken,
  link,
  member,
  qrCode,
  qrLogo,
  endedSession,
  session,
  subscription,
  tag,
  usageThreshold,
  webhookEndpoint,
  workspace,
} from './event-resources.js';

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
  'qr_code.created': {
    description: 'A QR code was created.',
    trigger: 'POST /qr-codes',
    audit: 'created the QR code',
    data: qrCode,
    webhook: aQrCode,
  },
  'qr_code.updated': {
    description: 'A QR code was changed.',
    trigger: 'PATCH /qr-codes/{id}, or the deletion of its link, which archives it',
    audit: 'changed the QR code',
    data: qrCode,
    webhook: { ...aQrCode, title: 'Spring poster' },
  },
  'qr_code.deleted': {
    description: 'A QR code was deleted.',
    trigger: 'DELETE /qr-codes/{id}',
    audit: 'deleted the QR code',
    data: qrCode,
    webhook: aQrCode,
  },
  'qr_code.expired': {
    description: 'A QR code reached its expiry date or its scan limit.',
    trigger: 'The passing of expiresAt, or the last of maxScans',
    audit: 'expired the QR code',
    data: qrCode,
    webhook: { ...aQrCode, status: 'expired' },
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
  'domain.created': {
    description: 'A custom domain was added.',
    trigger: 'POST /domains',
    audit: 'added the domain',
    data: domain,
    webhook: aDomain,
  },
  'domain.updated': {
    description:
      'The brand of a custom domain was changed, or where its root, unknown addresses or ended links redirect.',
    trigger: 'PATCH /domains/{id}',
    audit: 'changed the domain',
    data: domain,
    webhook: { ...aDomain, brandName: 'Toko Sari', brandColor: '#b91c1c' },
  },
  'domain.verified': {
    description: 'The DNS records of a custom domain were found right; it serves short links.',
    trigger: 'POST /domains/{id}/verify',
    audit: 'verified the domain',
    data: domain,
    webhook: { ...aDomain, status: 'verified', verifiedAt: '2026-01-31T09:00:00.000Z' },
  },
  'domain.failing': {
    description:
      'The DNS records of a verified custom domain were found wrong; it stops serving after seven days of this.',
    trigger: 'The first failed check: the daily one, or POST /domains/{id}/verify',
    audit: 'found wrong DNS records of the domain',
    data: domain,
    webhook: {
      ...aDomain,
      status: 'verified',
      verifiedAt: '2026-01-31T09:00:00.000Z',
      lastError: 'go.example.com has no CNAME record links.example.net.',
    },
  },
  'domain.failed': {
    description: 'The DNS records of a custom domain were not right at its verification, or for seven days.',
    trigger: 'POST /domains/{id}/verify, or the daily check',
    audit: 'failed to verify the domain',
    data: domain,
    webhook: { ...aDomain, status: 'failed', lastError: 'go.example.com has no CNAME record.' },
  },
  'domain.deleted': {
    description: 'A custom domain was removed.',
    trigger: 'DELETE /domains/{id}',
    audit: 'removed the domain',
    data: domain,
    webhook: aDomain,
  },
  'workspace.created': {
    description: 'A workspace was created.',
    trigger: 'Its creation',
    audit: 'created the workspace',
    data: workspace,
  },
  'workspace.updated': {
    description: 'A workspace was renamed, or its plan changed.',
    trigger: 'PATCH /workspaces/current, a change of its subscription, or an operator',
    audit: 'changed the workspace',
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
  'subscription.updated': {
    description: 'A subscription began, was renewed, changed its plan or will change it, or has a payment overdue.',
    trigger: 'POST /billing/downgrade or /billing/cancel, or a notice of the payment provider',
    audit: 'changed the subscription',
    data: subscription,
    webhook: aSubscription,
  },
  'subscription.canceled': {
    description: 'A subscription ended; the plan is FREE.',
    trigger: 'The end of the period after a cancellation, or a notice of the payment provider',
    audit: 'ended the subscription',
    data: subscription,
    webhook: { ...aSubscription, plan: 'FREE', status: 'canceled' },
  },
  'usage.threshold_reached': {
    description: 'A workspace reached 80 % or 100 % of a soft limit of its plan. Nothing stops.',
    trigger: 'Clicks of the calendar month (UTC), once per threshold and month',
    audit: 'noticed the usage of',
    data: usageThreshold,
    webhook: aUsageThreshold,
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
    description: 'A webhook endpoint was changed, paused, given a new secret, or disabled by its failures.',
    trigger: 'PATCH /webhooks/{id}, POST /webhooks/{id}/rotate-secret, or 410 or days of failures of the receiver',
    audit: 'changed the webhook endpoint',
    data: webhookEndpoint,
  },
  'webhook_endpoint.resumed': {
    description: 'A webhook endpoint that was paused or disabled was resumed.',
    trigger: 'PATCH /webhooks/{id} with `active: true`',
    audit: 'resumed the webhook endpoint',
    data: webhookEndpoint,
  },
  'webhook_endpoint.deleted': {
    description: 'A webhook endpoint was removed.',
    trigger: 'DELETE /webhooks/{id}',
    audit: 'removed the webhook endpoint',
    data: webhookEndpoint,
  },
  'export.performed': {
    description: 'The links of a workspace, or the statistics of a link, were exported.',
    trigger: 'GET /links/export or GET /links/{id}/stats/export',
    audit: 'exported',
    data: z.object({ what: z.enum(['links', 'statistics']) }),
  },
  'checkout.created': {
    description: 'A checkout at the payment provider was begun. The plan changes when it is paid.',
    trigger: 'POST /billing/checkout',
    audit: 'began a checkout of the plan',
    data: checkout,
  },
  'qr_logo.uploaded': {
    description: 'A logo for QR codes was uploaded.',
    trigger: 'POST /qr-codes/upload-logo',
    audit: 'uploaded the QR logo',
    data: qrLogo,
  },
  'download_token.created': {
    description: 'A download token for the image of a QR code was created.',
    trigger: 'POST /qr-codes/{id}/download-token',
    audit: 'created a download token for the QR code',
    data: downloadToken,
  },
  'delivery.retried': {
    description: 'A webhook delivery was sent again by hand.',
    trigger: 'POST /webhooks/deliveries/{id}/retry',
    audit: 'retried the delivery of',
    data: delivery,
  },
  'session.created': {
    description: 'A person signed in.',
    trigger: 'A sign-in by browser or password',
    audit: 'signed in as',
    data: session,
  },
  'session.ended': {
    description:
      'A session ended: its user signed out, of it or from another one, the identity provider refused its refresh, or its user was removed.',
    trigger:
      'POST /auth/logout, DELETE /auth/sessions or /auth/sessions/{id}, a refused refresh, or the end of the last membership of a user; one event for each session',
    audit: 'ended the session of',
    data: endedSession,
  },
  'session.failed': {
    description: 'A sign-in with the email address of a person was refused.',
    trigger: 'POST /auth/login with a wrong password',
    audit: 'failed to sign in as',
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
  /** Version of the target's state, where consumers must tell newer from older: it grows with every change. */
  version: z.number().int().optional(),
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
