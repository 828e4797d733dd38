import { z } from 'zod';
import { apiKeyRecord } from './api-key.js';
import { deliverySummaryRecord } from './delivery.js';
import { choice, identifier, text } from './fields.js';
import { logoRecord, downloadTokenRecord } from './qr-image.js';
import { checkoutRecord } from './subscription.js';
import { workspaceRecord } from './workspace.js';

// `data` of events to which webhook endpoints cannot subscribe: some fields of a record, or fields that no record has.

export const workspaceEventData = workspaceRecord.pick({ id: true, name: true, plan: true, createdAt: true });
export const apiKeyEventData = apiKeyRecord.pick({ id: true, label: true, prefix: true, createdAt: true });
export const deliveryEventData = deliverySummaryRecord.pick({
  id: true,
  subscriptionId: true,
  eventId: true,
  type: true,
});

export const sessionEventData = z.object({
  userId: text('Id of the user; empty if it is not known.', 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e'),
  email: text('Email address.', 'mira@example.com'),
});

/**
 * Why sessions end: the user signed out or revoked the session, the identity provider refused a refresh, or the last
 * membership ended.
 */
export const sessionEndReasons = ['signed_out', 'refresh_refused', 'member_removed'] as const;
export const sessionEndedEventData = sessionEventData.extend({
  reason: choice(sessionEndReasons, 'Why the session ended.'),
});

export const exportEventData = z.object({ what: choice(['links', 'statistics'], 'What was exported.') });

export const checkoutEventData = z.object({
  sessionId: checkoutRecord.shape.sessionId,
  plan: text('Plan to be paid for.', 'PRO'),
  currency: text('Currency of the payment.', 'IDR'),
});

const { width, height, bytes } = logoRecord.shape;
export const logoEventData = z.object({ id: identifier('lgo', 'Id of the logo.'), width, height, bytes });

export const downloadTokenEventData = z.object({
  qrCodeId: identifier('qr', 'Id of the QR code.'),
  expiresAt: downloadTokenRecord.shape.expiresAt,
});
