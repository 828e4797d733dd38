import { derivedId, fail } from '@tautan/kit';
import type { DeliveryStatus } from '@tautan/proto';
import type { Endpoint } from './endpoint.js';
import { bodyOf, type WebhookEvent } from './event-types.js';

export { deliveryStatuses, type DeliveryStatus } from '@tautan/proto';

export interface Attempt {
  /** Starts at 1. */
  n: number;
  /** When it started. */
  at: Date;
  durationMs: number;
  /** Null if there was no response. */
  statusCode: number | null;
  /** Null if it succeeded. */
  error: string | null;
  /** At most 1 KiB; null if empty or withheld. */
  responseSnippet: string | null;
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  /** Derived from the event and the endpoint, so that each pair has one delivery; ids sort by the event's time. */
  _id: string;
  workspaceId: string;
  endpointId: string;
  eventId: string;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  /** Null unless pending. */
  nextAttemptAt: Date | null;
  /**
   * Whether the pending attempt, or the last one if none is pending, is a manual retry. A failed manual retry is not
   * followed by another attempt.
   */
  manual: boolean;
  /** The operation id of the last manual retry, if any. */
  retryOperationId?: string | null;
  /** The exact request body; empty if withheld. */
  body: string;
  attemptLog: Attempt[];
  createdAt: Date;
  completedAt: Date | null;
  /** The trace of its attempts (W3C traceparent). */
  traceparent?: string;
}

/** A delivery as returned by lists. */
export type DeliverySummary = Omit<Delivery, 'body' | 'attemptLog'>;

/** Returns the id of the delivery of an event to an endpoint. */
export const deliveryIdOf = (eventId: string, endpointId: string): string =>
  derivedId('whd', eventId, eventId, endpointId);

/** Returns the delivery of an event to an endpoint, due immediately. */
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

/** Returns a copy of a delivery without request and response bodies, for principals that may not read them. */
export const withoutBodies = (delivery: Delivery): Delivery => ({
  ...delivery,
  body: '',
  attemptLog: delivery.attemptLog.map((attempt) => ({ ...attempt, responseSnippet: null })),
});

export const deliveryNotFound = (): Error => fail('NOT_FOUND', 'No delivery with this id.');
