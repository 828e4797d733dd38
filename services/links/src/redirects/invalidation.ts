import type { Bus } from '@tautan/kit/bus';
import { invalidations } from '@tautan/proto';
import { domainKey, routeKey } from './domain/route.js';
import type { RouteCache } from './route-cache.js';

/**
 * Invalidates a cache: drops the keys published on the subject `invalidations.redirect`. A process can crash after a
 * change but before it publishes the keys, so every event about a link, QR code or domain also drops the keys that it
 * affects. An event about a link also drops the keys of the link's QR codes. Returns a function that unsubscribes from
 * connection changes.
 */
export function subscribeInvalidations(bus: Bus, cache: RouteCache): () => void {
  bus.listen(invalidations.redirect, (payload) => cache.drop(publishedKeys(payload)));
  bus.listen('events.link.>', (payload) => {
    cache.drop(eventKeys(payload));
    cache.dropCodesOf(linkIdOf(payload));
  });
  bus.listen('events.qr_code.>', (payload) => cache.drop(eventKeys(payload)));
  bus.listen('events.domain.>', (payload) => cache.drop(domainKeys(payload)));
  return bus.onChange((connected) => cache.setConnected(connected));
}

function publishedKeys(payload: unknown): string[] {
  const { keys } = (payload ?? {}) as { keys?: unknown };
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** Returns the key of the domain in an event, if any. */
function domainKeys(payload: unknown): string[] {
  const { domain } = ((payload ?? {}) as EventPayload).data ?? {};
  return typeof domain === 'string' ? [domainKey(domain)] : [];
}

interface EventPayload {
  data?: { id?: unknown; domain?: unknown; slug?: unknown };
  changes?: { slug?: { before?: unknown } };
}

/** Returns the current and previous keys of the link or QR code in an event. */
export function eventKeys(payload: unknown): string[] {
  const { data, changes } = (payload ?? {}) as EventPayload;
  const domain = typeof data?.domain === 'string' ? data.domain : null;
  const slugs = [data?.slug, changes?.slug?.before].filter((slug) => typeof slug === 'string');
  return slugs.map((slug) => routeKey(domain, slug));
}

function linkIdOf(payload: unknown): string {
  const id = ((payload ?? {}) as EventPayload).data?.id;
  return typeof id === 'string' ? id : '';
}
