import type { z } from 'zod';
import type { Changes } from './records/actor.js';
import { clickExample, clickRecord, scanExample } from './records/click.js';
import { addedDomainFields, domainExample, domainRecord, verifiedDomainExample } from './records/domain.js';
import {
  apiKeyEventData,
  checkoutEventData,
  deliveryEventData,
  downloadTokenEventData,
  exportEventData,
  logoEventData,
  sessionEndedEventData,
  sessionEventData,
  workspaceEventData,
} from './records/event-data.js';
import { addedLinkFields, linkExample, linkRecord, type LinkRecord } from './records/link.js';
import { memberExample, memberRecord } from './records/member.js';
import { qrCodeExample, qrCodeRecord, type QrCodeRecord } from './records/qr-code.js';
import { subscriptionExample, subscriptionRecord } from './records/subscription.js';
import { tagExample, tagRecord } from './records/tag.js';
import { usageThresholdExample, usageThresholdRecord } from './records/usage.js';
import { webhookEndpointExample, webhookEndpointRecord } from './records/webhook-endpoint.js';

export interface EventDefinition {
  /** What the event reports. */
  description: string;
  /** What causes the event. */
  trigger: string;
  /**
   * Verb phrase between the actor and the target in the sentence of an audit entry; only for types in the audit log.
   */
  audit?: string;
  /** Schema of `data`. */
  data: z.ZodType;
  /** Values of fields that events of earlier versions lack. */
  added?: object;
  /** False for types that are not published on the bus, but only sent to webhook endpoints. */
  published?: false;
  /** An example of `data`; only for types that webhook endpoints can subscribe to. */
  webhook?: unknown;
  /** The changes in the example; only for types whose events can have changes. */
  changes?: Changes;
}

const link = { data: linkRecord, added: addedLinkFields };
const qrCode = { data: qrCodeRecord };
const domain = { data: domainRecord, added: addedDomainFields };
const newLink: LinkRecord = { ...linkExample, clickCount: 0, lastClickAt: null };
const newQrCode: QrCodeRecord = { ...qrCodeExample, scanCount: 0, lastScanAt: null };
/** Time of the events in the examples, and of the changes that they report. */
export const EXAMPLE_EVENT_TIME = '2030-01-31T12:00:00.000Z';
const updatedAt = EXAMPLE_EVENT_TIME;

/** Every event type: what it reports, what causes it, and the schema of its `data`. */
export const eventCatalog = {
  'link.created': {
    description: 'A link was created.',
    trigger: 'POST /links, or a row of an import',
    audit: 'created the link',
    ...link,
    webhook: newLink,
  },
  'link.updated': {
    description: 'A link was changed.',
    trigger: 'PATCH /links/{id}, or a bulk action',
    audit: 'changed the link',
    ...link,
    webhook: { ...linkExample, title: 'Summer sale', updatedAt },
    changes: { title: { before: linkExample.title, after: 'Summer sale' } },
  },
  'link.deleted': {
    description: 'A link was deleted.',
    trigger: 'DELETE /links/{id}, or a bulk action',
    audit: 'deleted the link',
    ...link,
    webhook: linkExample,
  },
  'link.expired': {
    description: 'A link reached its expiry time or its click limit.',
    trigger: 'expiresAt has passed, or maxClicks is used up',
    audit: 'expired the link',
    ...link,
    webhook: { ...linkExample, status: 'expired', updatedAt },
    changes: { status: { before: 'active', after: 'expired' } },
  },
  'link.clicked': {
    description: 'A visitor followed a link. Only sent to webhook endpoints, not part of the audit log.',
    trigger: 'GET /{slug} by a human, or a scan of a QR code that points to the link',
    data: clickRecord,
    published: false,
    webhook: clickExample,
  },
  'qr_code.created': {
    description: 'A QR code was created.',
    trigger: 'POST /qr-codes',
    audit: 'created the QR code',
    ...qrCode,
    webhook: newQrCode,
  },
  'qr_code.updated': {
    description: 'A QR code was changed.',
    trigger: 'PATCH /qr-codes/{id}, or the deletion of its link, which archives the QR code',
    audit: 'changed the QR code',
    ...qrCode,
    webhook: { ...qrCodeExample, title: 'Summer poster', updatedAt },
    changes: { title: { before: qrCodeExample.title, after: 'Summer poster' } },
  },
  'qr_code.deleted': {
    description: 'A QR code was deleted.',
    trigger: 'DELETE /qr-codes/{id}',
    audit: 'deleted the QR code',
    ...qrCode,
    webhook: qrCodeExample,
  },
  'qr_code.expired': {
    description: 'A QR code reached its expiry time or its scan limit.',
    trigger: 'expiresAt has passed, or maxScans is used up',
    audit: 'expired the QR code',
    ...qrCode,
    webhook: { ...qrCodeExample, status: 'expired', updatedAt },
    changes: { status: { before: 'active', after: 'expired' } },
  },
  'qr_code.scanned': {
    description: 'A visitor scanned a QR code. Only sent to webhook endpoints, not part of the audit log.',
    trigger: 'GET of the address that a QR code encodes, by a human',
    data: clickRecord,
    published: false,
    webhook: scanExample,
  },
  'tag.created': {
    description: 'A tag was created.',
    trigger: 'POST /tags, or a link or QR code with a new tag',
    audit: 'created the tag',
    data: tagRecord,
    webhook: tagExample,
  },
  'tag.updated': {
    description: 'A tag was renamed.',
    trigger: 'PATCH /tags/{id}',
    audit: 'renamed the tag',
    data: tagRecord,
    webhook: { ...tagExample, name: 'spring', updatedAt },
    changes: { name: { before: tagExample.name, after: 'spring' } },
  },
  'tag.deleted': {
    description: 'A tag was deleted.',
    trigger: 'DELETE /tags/{id}',
    audit: 'deleted the tag',
    data: tagRecord,
    webhook: tagExample,
  },
  'domain.created': {
    description: 'A custom domain was added.',
    trigger: 'POST /domains',
    audit: 'added the domain',
    ...domain,
    webhook: domainExample,
  },
  'domain.updated': {
    description: 'The brand or a fallback URL of a custom domain was changed.',
    trigger: 'PATCH /domains/{id}',
    audit: 'changed the domain',
    ...domain,
    webhook: { ...domainExample, brandName: 'Toko Sari', brandColor: '#b91c1c' },
    changes: { brandName: { before: null, after: 'Toko Sari' }, brandColor: { before: null, after: '#b91c1c' } },
  },
  'domain.verified': {
    description: 'The DNS records of a custom domain were verified. It now serves short links.',
    trigger: 'POST /domains/{id}/verify',
    audit: 'verified the domain',
    ...domain,
    webhook: verifiedDomainExample,
    changes: { status: { before: 'pending', after: 'verified' } },
  },
  'domain.failing': {
    description:
      'A check found incorrect DNS records of a verified custom domain. If they stay incorrect for seven days, the domain stops serving links.',
    trigger:
      'The first check that finds incorrect records after a successful check: the daily check, or POST /domains/{id}/verify',
    audit: 'found incorrect DNS records of the domain',
    ...domain,
    webhook: {
      ...verifiedDomainExample,
      lastError: 'go.example.com has no CNAME record that points to links.example.net.',
    },
    changes: {
      lastError: { before: null, after: 'go.example.com has no CNAME record that points to links.example.net.' },
    },
  },
  'domain.failed': {
    description: 'The verification of a custom domain failed, or its DNS records were incorrect for seven days.',
    trigger: 'POST /domains/{id}/verify, or the daily check',
    audit: 'failed to verify the domain',
    ...domain,
    webhook: { ...domainExample, status: 'failed', lastError: 'go.example.com has no CNAME record.' },
    changes: { status: { before: 'pending', after: 'failed' } },
  },
  'domain.deleted': {
    description: 'A custom domain was removed.',
    trigger: 'DELETE /domains/{id}',
    audit: 'removed the domain',
    ...domain,
    webhook: domainExample,
  },
  'workspace.created': {
    description: 'A workspace was created.',
    trigger:
      'POST /workspaces, an operator, or the first request of a member of a workspace that was created at the identity provider',
    audit: 'created the workspace',
    data: workspaceEventData,
  },
  'workspace.updated': {
    description: 'A workspace was renamed, or its plan changed.',
    trigger:
      'PATCH /workspaces/current, a rename at the identity provider, a change to the subscription or DEFAULT_PLAN, or an operator',
    audit: 'changed the workspace',
    data: workspaceEventData,
  },
  'workspace.switched': {
    description: 'A user switched to a workspace.',
    trigger: 'POST /workspaces/switch',
    audit: 'switched to the workspace',
    data: workspaceEventData,
  },
  'member.invited': {
    description: 'A user was invited to a workspace.',
    trigger: 'POST /workspaces/current/members, an invitation at the identity provider, or an operator',
    audit: 'invited',
    data: memberRecord,
    webhook: { ...memberExample, userId: null, status: 'invited', joinedAt: null },
  },
  'member.joined': {
    description: 'A user joined a workspace.',
    trigger:
      'POST /workspaces, POST /workspaces/current/members if the identity provider adds the user without an invitation, the first request in the workspace by an invited user or by the owner, or a change at the identity provider',
    audit: 'activated the membership of',
    data: memberRecord,
    webhook: memberExample,
    changes: { status: { before: 'invited', after: 'active' } },
  },
  'member.role_changed': {
    description: 'The role of a member was changed.',
    trigger: 'PATCH /workspaces/current/members/{id}, or a change at the identity provider',
    audit: 'changed the role of',
    data: memberRecord,
    webhook: { ...memberExample, role: 'admin' },
    changes: { role: { before: memberExample.role, after: 'admin' } },
  },
  'member.removed': {
    description: 'A member was removed, or an invitation was withdrawn.',
    trigger: 'DELETE /workspaces/current/members/{id}, or a removal at the identity provider',
    audit: 'removed',
    data: memberRecord,
    webhook: memberExample,
  },
  'subscription.updated': {
    description:
      'A subscription started, was renewed or resumed, changed its plan, will end or change its plan at the end of the period, or has an overdue payment.',
    trigger:
      'POST /billing/downgrade, /billing/cancel or /billing/resume, a webhook of the payment provider, or the daily comparison with it',
    audit: 'changed the subscription',
    data: subscriptionRecord,
    webhook: subscriptionExample,
    changes: {
      plan: { before: 'FREE', after: 'PRO' },
      status: { before: 'none', after: 'active' },
      currentPeriodStart: { before: null, after: subscriptionExample.currentPeriodStart },
      currentPeriodEnd: { before: null, after: subscriptionExample.currentPeriodEnd },
    },
  },
  'subscription.canceled': {
    description: 'A subscription ended. The `plan` of the subscription is FREE.',
    trigger:
      'The end of the period after a cancellation, a webhook of the payment provider, or the daily comparison with it',
    audit: 'ended the subscription',
    data: subscriptionRecord,
    webhook: { ...subscriptionExample, plan: 'FREE', status: 'canceled' },
    changes: {
      plan: { before: 'PRO', after: 'FREE' },
      status: { before: 'active', after: 'canceled' },
      cancelAtPeriodEnd: { before: true, after: false },
      pendingPlan: { before: 'FREE', after: null },
    },
  },
  'usage.threshold_reached': {
    description: 'A workspace used 80% or 100% of a soft limit of its plan. Nothing stops working.',
    trigger: 'The number of clicks in the calendar month (UTC), once per threshold and month',
    audit: 'reported high usage of',
    data: usageThresholdRecord,
    webhook: usageThresholdExample,
  },
  'webhook.test': {
    description:
      'A test event. It is sent to one endpoint, regardless of the event types that the endpoint subscribes to.',
    trigger: 'POST /webhooks/{id}/test',
    data: webhookEndpointRecord,
    webhook: webhookEndpointExample,
  },
  'webhook_endpoint.created': {
    description: 'A webhook endpoint was created.',
    trigger: 'POST /webhooks',
    audit: 'registered the webhook endpoint',
    data: webhookEndpointRecord,
  },
  'webhook_endpoint.updated': {
    description: 'A webhook endpoint was changed or paused, got a new secret, or was disabled after failures.',
    trigger: 'PATCH /webhooks/{id}, POST /webhooks/{id}/rotate-secret, a 410 response, or days of failures',
    audit: 'changed the webhook endpoint',
    data: webhookEndpointRecord,
  },
  'webhook_endpoint.resumed': {
    description: 'A webhook endpoint that was paused or disabled was resumed.',
    trigger: 'PATCH /webhooks/{id} with `active: true`',
    audit: 'resumed the webhook endpoint',
    data: webhookEndpointRecord,
  },
  'webhook_endpoint.deleted': {
    description: 'A webhook endpoint was deleted.',
    trigger: 'DELETE /webhooks/{id}',
    audit: 'removed the webhook endpoint',
    data: webhookEndpointRecord,
  },
  'export.performed': {
    description: 'The links of a workspace, or the statistics of a link, were exported.',
    trigger: 'GET /links/export or GET /links/{id}/stats/export',
    audit: 'exported',
    data: exportEventData,
  },
  'checkout.created': {
    description: 'A checkout session was created. The plan changes after the payment.',
    trigger: 'POST /billing/checkout',
    audit: 'started a checkout for the plan',
    data: checkoutEventData,
  },
  'qr_logo.uploaded': {
    description: 'A logo for QR codes was uploaded.',
    trigger: 'POST /qr-codes/upload-logo',
    audit: 'uploaded the QR logo',
    data: logoEventData,
  },
  'download_token.created': {
    description: 'A download token for the image of a QR code was created.',
    trigger: 'POST /qr-codes/{id}/download-token',
    audit: 'created a download token for the QR code',
    data: downloadTokenEventData,
  },
  'delivery.retried': {
    description: 'A webhook delivery was retried manually.',
    trigger: 'POST /webhooks/deliveries/{id}/retry',
    audit: 'retried the delivery of',
    data: deliveryEventData,
  },
  'session.created': {
    description: 'A user signed in.',
    trigger: 'A sign-in with a browser or a password',
    audit: 'signed in as',
    data: sessionEventData,
  },
  'session.ended': {
    description:
      'A session ended: the user signed out or revoked it, the identity provider refused to refresh it, or the user was removed.',
    trigger:
      "POST /auth/logout, DELETE /auth/sessions or /auth/sessions/{id}, a refused refresh, or the end of a user's last membership; one event per session",
    audit: 'ended the session of',
    data: sessionEndedEventData,
  },
  'session.failed': {
    description: 'A sign-in with the email address of an existing user was refused.',
    trigger: 'POST /auth/login with a wrong password',
    audit: 'failed to sign in as',
    data: sessionEventData,
  },
  'api_key.created': {
    description: 'An API key was created.',
    trigger: 'POST /auth/api-keys, or an operator',
    audit: 'created the API key',
    data: apiKeyEventData,
  },
  'api_key.revoked': {
    description: 'An API key was revoked.',
    trigger: 'DELETE /auth/api-keys/{id}, an operator, or the demotion or removal of the member who created the key',
    audit: 'revoked the API key',
    data: apiKeyEventData,
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof eventCatalog;

/** A type that is not published on the bus, but only sent to webhook endpoints. */
export type UnpublishedType = {
  [T in EventType]: (typeof eventCatalog)[T] extends { published: false } ? T : never;
}[EventType];
export const unpublishedTypes = Object.entries<EventDefinition>(eventCatalog)
  .filter(([, { published }]) => published === false)
  .map(([type]) => type as UnpublishedType);

export type EventData<T extends EventType> = z.infer<(typeof eventCatalog)[T]['data']>;
