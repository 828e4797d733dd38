import { derivedId, fail } from '@tautan/kit';
import type { Endpoint } from './endpoint.js';
import { bodyOf, type WebhookEvent } from './event-types.js';

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Attempt {
  /** From 1. */
  n: number;
  at: Date;
  durationMs: number;
  /** Null when no answer came. */
  statusCode: number | null;
  /** Null when it succeeded. */
  error: string | null;
  /** At most 1 KiB; null when there was none, or it is withheld. */
  responseSnippet: string | null;
}

/** One event for one endpoint. */
export interface Delivery {
  /** Follows from event and endpoint, so that there is one; sorts by the event's time. */
  _id: string;
  workspaceId: string;
  endpointId: string;
  eventId: string;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  /** Null unless pending. */
  nextAttemptAt: Date | null;
  /** Whether the pending attempt was asked for by hand: none follows it. */
  manual: boolean;
  /** The operation that asked for the last attempt by hand. */
  retryOperationId?: string | null;
  /** What is sent, byte for byte; empty where it is withheld. */
  body: string;
  attemptLog: Attempt[];
  createdAt: Date;
  completedAt: Date | null;
  /** The trace that its attempts belong to (W3C traceparent). */
  traceparent?: string;
}

/** A delivery as lists show it. */
export type DeliverySummary = Omit<Delivery, 'body' | 'attemptLog'>;

/** Returns the id of the delivery of an event to an endpoint. */
export const deliveryIdOf = (eventId: string, endpointId: string): string =>
  derivedId('whd', eventId, eventId, endpointId);

/** The delivery of an event to an endpoint, due at once. */
export function deliveryOf(event: WebhookEvent, endpoint: Pick<Endpoint, '_id'>, now: Date): Delivery {
  return {
    _id: deliveryIdOf(event.id, endpoint._id),
    workspaceId: event.workspaceId,
    endpointId: endpoint._id,
    eventId: event.id,
    type: event.type,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: now,
    manual: false,
    body: bodyOf(event),
    attemptLog: [],
    createdAt: now,
    completedAt: null,
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
  };
}

/** A delivery for those who may not read what is sent or answered. */
export const withoutBodies = (delivery: Delivery): Delivery => ({
  ...delivery,
  body: '',
  attemptLog: delivery.attemptLog.map((attempt) => ({ ...attempt, responseSnippet: null })),
});

export const unknownDelivery = (): Error => fail('NOT_FOUND', 'There is no such delivery.');
