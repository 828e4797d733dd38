import { maxEntries } from '@tautan/kit';
import { clickPartition } from '@tautan/proto';
import { LRUCache } from 'lru-cache';
import type { DomainPages } from '../domains/domain/domain-pages.js';
import type { Route } from './domain/route.js';

/** A route prepared for redirects, with its freshness. */
export interface CachedRoute {
  /**
   * gone: expired, used up or archived, or a QR code whose link is not active (410). missing: no route, or a deleted
   * one (404).
   */
  state: 'active' | 'gone' | 'missing';
  /** An absolute http(s) URL in printable ASCII, ready for the Location header. */
  location: string;
  /** Null for a QR code without a link. */
  linkId: string | null;
  qrId: string | null;
  workspaceId: string;
  /** Source of the click: a link (l) or a QR code (q). */
  via: 'l' | 'q';
  /** Click partition of the link, or of the QR code without a link. */
  partition: number;
  /** Unix milliseconds; Infinity without an expiry. */
  expiresAt: number;
  /** Whether visits by humans consume a limit. */
  limited: boolean;
  /** Key of the link whose limit a scan consumes; null if there is none. */
  limitKey: string | null;
  /** For the entry of a domain: the pages and redirects for its root, unknown links and expired links. */
  pages: DomainPages | null;
  /**
   * Number of the click batch that last contained the id of the link, or of the QR code without a link, and the index
   * of this id there.
   */
  idBatch: number;
  idIndex: number;
  /** Time of the read (Unix ms), and the number of times that the bus had been connected by then. */
  readAt: number;
  epoch: number;
  /** Time of the last renewal of its position in the LRU cache (Unix ms). */
  usedAt: number;
}

const noTarget = {
  location: '',
  linkId: null,
  qrId: null,
  workspaceId: '',
  via: 'l',
  partition: 0,
  expiresAt: Infinity,
  limited: false,
  limitKey: null,
  pages: null,
} as const;

const workspaces = new LRUCache<string, string>(maxEntries(10_000));

/** Interns a workspace id, so that all its links share one string. */
function interned(workspaceId: string): string {
  const known = workspaces.get(workspaceId);
  if (known === undefined) workspaces.set(workspaceId, workspaceId);
  return known ?? workspaceId;
}

/** Prepares a route that was read at `readAt` (Unix ms). Null means that there is no route. */
export function prepareRoute(route: Route | null, readAt: number, epoch: number): CachedRoute {
  const freshness = { idBatch: 0, idIndex: 0, readAt, epoch, usedAt: readAt };
  if (!route || route.status === 'deleted') return { state: 'missing', ...noTarget, ...freshness };
  const { follows, remaining } = route;
  const isGone = route.status !== 'active' || (remaining !== null && remaining <= 0);
  if (isGone || (follows && follows.status !== 'active'))
    return { state: 'gone', ...noTarget, workspaceId: interned(route.workspaceId), ...freshness };
  return {
    state: 'active',
    location: headerSafe(route.url),
    linkId: route.linkId,
    qrId: route.qrId ?? null,
    workspaceId: interned(route.workspaceId),
    via: route.via === 'qr' ? 'q' : 'l',
    partition: clickPartition(route.linkId ?? route.qrId!),
    expiresAt: follows ? Math.min(timeOf(route.expiresAt), timeOf(follows.expiresAt)) : timeOf(route.expiresAt),
    limited: remaining !== null || follows?.limited === true,
    limitKey: follows?.limited ? follows.key : null,
    pages: route.pages ?? null,
    ...freshness,
  };
}

const timeOf = (at: Date | null): number => (at ? at.getTime() : Infinity);

const safeUrl = /^https?:\/\/[\x21-\x7e]+$/;

/**
 * Returns a URL unchanged if it is safe in a header (no response splitting), and normalized otherwise. Throws if it is
 * invalid.
 */
export function headerSafe(url: string): string {
  if (safeUrl.test(url)) return url;
  const { href, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`unsupported destination scheme ${protocol}`);
  return href;
}

/** Returns the state of a route at a time (Unix ms). */
export const stateAt = (route: CachedRoute, now: number): CachedRoute['state'] =>
  route.state === 'active' && route.expiresAt <= now ? 'gone' : route.state;
