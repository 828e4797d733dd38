import type { Bus } from '@tautan/kit/bus';
import { invalidations } from '@tautan/proto';
import { routeKey } from '../domain/route.js';
import type { RouteCache } from './route-cache.js';

/**
 * Keeps a cache true: it drops keys that are told on `cache.redirect`, and those of every event about a link (should
 * whoever changed it have died before telling). Answers how to stop following the connection.
 */
export function followChanges(bus: Bus, cache: RouteCache): () => void {
  bus.listen(invalidations.redirect, (payload) => cache.drop(toldKeys(payload)));
  bus.listen('events.link.>', (payload) => cache.drop(eventKeys(payload)));
  return bus.onChange((connected) => cache.setConnected(connected));
}

function toldKeys(payload: unknown): string[] {
  const { keys } = (payload ?? {}) as { keys?: unknown };
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

interface LinkEvent {
  data?: { domain?: unknown; slug?: unknown };
  changes?: { slug?: { before?: unknown } };
}

/** The keys under which a link stands and stood. */
export function eventKeys(payload: unknown): string[] {
  const { data, changes } = (payload ?? {}) as LinkEvent;
  const domain = typeof data?.domain === 'string' ? data.domain : null;
  const slugs = [data?.slug, changes?.slug?.before].filter((slug) => typeof slug === 'string');
  return slugs.map((slug) => routeKey(domain, slug));
}
