import { fail, type EgressGuard, type Principal } from '@tautan/kit';
import { deliverableTypes } from './event-types.js';

/** An encrypted signing secret. */
export interface StoredSecret {
  sealed: Buffer;
  /** When it stops signing; null for the current one. */
  expiresAt: Date | null;
  /** The operation id of the rotation that created it, if any. */
  operationId?: string | null;
}

export interface Endpoint {
  _id: string;
  workspaceId: string;
  /** Normalized; unique in the workspace. */
  url: string;
  /** Known event types, or only `*`. */
  events: string[];
  active: boolean;
  /** Why the service disabled it; null if it did not. */
  disabledReason: string | null;
  /** The current secret comes first. */
  secrets: StoredSecret[];
  createdAt: Date;
  updatedAt: Date;
}

/** Returns an endpoint as represented in the API. */
export const endpointView = ({ _id, url, events, active, disabledReason, createdAt, updatedAt }: Endpoint) => ({
  id: _id,
  url,
  events,
  active,
  disabledReason,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
export type EndpointView = ReturnType<typeof endpointView>;

const MAX_URL = 2_048;
const HTTPS_PORT = 443;
const refusedUrl = (message: string): Error => fail('VALIDATION_ERROR', message, 'url');

/** Rules for the URLs of endpoints. */
export interface UrlRules {
  guard: EgressGuard;
  /** Accepted ports. */
  ports: readonly number[];
}

/**
 * Returns the normalized form of an endpoint's URL. Throws VALIDATION_ERROR naming `url` unless it is an absolute https
 * URL of at most 2,048 characters, without credentials, of a public host with an accepted port. Loopback URLs that the
 * guard permits may use http and any port.
 */
export function checkUrl(text: string, { guard, ports }: UrlRules): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw refusedUrl('url must be a valid https URL.');
  url.hash = '';
  if (text.length > MAX_URL || url.href.length > MAX_URL)
    throw refusedUrl(`url must have at most ${MAX_URL} characters.`);
  if (url.username || url.password) throw refusedUrl('url must not contain credentials.');
  if (!guard.mayConnectTo(url.hostname)) throw refusedUrl('url must name a public host.');
  if (guard.isLoopback(url.hostname)) return url.href;
  if (url.protocol === 'http:') throw refusedUrl('url must use https.');
  if (!ports.includes(Number(url.port || HTTPS_PORT)))
    throw refusedUrl(`url must use one of these ports: ${ports.join(', ')}.`);
  return url.href;
}

/**
 * Returns the event types of a subscription without duplicates. Throws VALIDATION_ERROR naming `events` unless they are
 * known types, or only `*`.
 */
export function checkEvents(types: readonly string[]): string[] {
  const events = [...new Set(types)];
  if (events.length === 0) throw fail('VALIDATION_ERROR', 'events must contain at least one event type.', 'events');
  if (events.length === 1 && events[0] === '*') return events;
  const unknown = events.find((type) => !deliverableTypes.has(type));
  if (unknown === '*') throw fail('VALIDATION_ERROR', 'events must not combine "*" with other types.', 'events');
  if (unknown === undefined) return events;
  throw fail('VALIDATION_ERROR', `${JSON.stringify(unknown.slice(0, 100))} is not an event type.`, 'events');
}

export const subscribes = ({ events }: Pick<Endpoint, 'events'>, type: string): boolean =>
  events[0] === '*' || events.includes(type);

/** Returns whether a principal may manage webhooks: owners, admins, and API keys, which have the role admin. */
export const mayManage = ({ role }: Principal): boolean => role === 'owner' || role === 'admin';

/** Throws ENDPOINT_DISABLED if the endpoint is disabled, or deleted (null). */
export function assertActive(endpoint: Pick<Endpoint, 'active'> | null): void {
  if (!endpoint) throw fail('ENDPOINT_DISABLED', 'The endpoint was deleted.');
  if (!endpoint.active) throw fail('ENDPOINT_DISABLED', 'The endpoint is disabled. Resume it first.');
}

/** Throws FORBIDDEN unless the principal may manage webhooks. */
export function assertMayManage(by: Principal): void {
  if (mayManage(by)) return;
  throw fail('FORBIDDEN', 'Only owners and admins can manage webhooks.');
}
