import { deliverableEvents, unpublishedTypes, type UnpublishedType } from '@tautan/proto';

/** Types that endpoints can subscribe to, in catalog order. */
export const deliverableTypes: ReadonlySet<string> = new Set(deliverableEvents.map(({ type }) => type));

/** Types of the events that this service derives from clicks; no service publishes them. */
export const clickTypes = unpublishedTypes;
export type ClickType = UnpublishedType;

/** The part of an event that endpoints receive. */
export interface WebhookEvent {
  id: string;
  type: string;
  /** ISO 8601. */
  at: string;
  workspaceId: string;
  data: unknown;
  /** The values of each changed field before and after the change; absent or empty unless fields have changed. */
  changes?: Record<string, unknown>;
  /** The trace of the event (W3C traceparent), sent to endpoints as a header. */
  traceparent?: string | undefined;
}

/** Returns the JSON text that endpoints receive. */
export function bodyOf({ id, type, at, workspaceId, data, changes = {} }: WebhookEvent): string {
  const body = { id, type, createdAt: at, workspaceId, data };
  return JSON.stringify(Object.keys(changes).length > 0 ? { ...body, changes } : body);
}

/** The public catalog: every deliverable type with an example body. */
export const eventTypes = deliverableEvents.map(({ type, description, trigger, example }) => ({
  type,
  description,
  trigger,
  example: JSON.stringify(example),
}));
