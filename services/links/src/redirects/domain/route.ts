import type { CustomDomain } from '../../domains/domain/custom-domain.js';
import type { DomainPages } from '../../domains/domain/domain-pages.js';

/**
 * The state of a link, copied to the routes of its QR codes with every change to the link. The link's URL is copied to
 * their `url`.
 */
export interface LinkSnapshot {
  /** Key of the link's own route, whose `remaining` is the number of clicks left, scans included. */
  key: string;
  status: Route['status'];
  expiresAt: Date | null;
  /** Whether the link has a click limit. */
  limited: boolean;
}

/** An entry of the routing table: everything that a redirect needs, read by one key. */
export interface Route {
  /** `<host>/<slug in lower case>`; the host is empty for the default domain, regardless of its current name. */
  _id: string;
  workspaceId: string;
  /** Id of the link, or of the domain for the entry of a domain. Null for a QR code without a link. */
  linkId: string | null;
  /** Id of the QR code that owns the slug, if any. */
  qrId: string | null;
  /** Owner of the slug. domain: the entry of a verified domain (`domainRoute`), which has no slug. */
  via: 'link' | 'qr' | 'domain';
  url: string;
  /**
   * deleted: not redirected; until `purgeAt`, only the same workspace or a new owner of the custom domain may reuse the
   * slug.
   */
  status: 'active' | 'expired' | 'archived' | 'deleted';
  expiresAt: Date | null;
  /** Maximum number of clicks of a link, or scans of a QR code. */
  maxClicks: number | null;
  /**
   * Number of human visits left; null without a limit. Redirects decrement it in one conditional update while it is
   * above zero. It is negative if the limit was set below the number of visits so far.
   */
  remaining: number | null;
  /** State of the link, for QR codes of a link. */
  follows?: LinkSnapshot | null;
  /** Expiry of a deleted entry (TTL); null otherwise. */
  purgeAt: Date | null;
  /** Set for domains: the pages and redirects for the root, unknown links and expired links. */
  pages?: DomainPages | null;
}

/** Days that the slug of a deleted link stays reserved for its workspace. */
export const QUARANTINE_DAYS = 30;

/** Returns the key of a slug on a domain (null: the default domain). */
export const routeKey = (domain: string | null, slug: string): string => `${domain ?? ''}/${slug.toLowerCase()}`;

/** Returns the time at which a slug that is deleted now becomes available to other workspaces. */
export const purgeTime = (now: Date): Date => new Date(now.getTime() + QUARANTINE_DAYS * 86_400_000);

/** Returns whether a key belongs to a custom domain. */
export const isOnCustomDomain = (key: string): boolean => !key.startsWith('/');

/**
 * Returns whether a workspace may use the key of an entry for a new link, on its own domain or the default one. An
 * entry of another workspace on a custom domain was created before that workspace lost the domain, so it may be
 * replaced.
 */
export function isFree(
  route: Pick<Route, '_id' | 'workspaceId' | 'status' | 'purgeAt'>,
  workspaceId: string,
  now: Date,
) {
  const { status, purgeAt } = route;
  if (route.workspaceId !== workspaceId && isOnCustomDomain(route._id)) return true;
  return status === 'deleted' && (route.workspaceId === workspaceId || (purgeAt !== null && purgeAt <= now));
}

/** Returns the key of a custom domain's own entry, which no slug can have. */
export const domainKey = (name: string): string => `${name}/`;

/**
 * Returns the entry of a verified domain. The domain serves only routes of this entry's workspace, and only while the
 * entry exists: deleting it stops all links of the domain with one write.
 */
export const domainRoute = ({
  _id,
  workspaceId,
  name,
  pages,
}: Pick<CustomDomain, '_id' | 'workspaceId' | 'name' | 'pages'>): Route => ({
  _id: domainKey(name),
  workspaceId,
  linkId: _id,
  qrId: null,
  via: 'domain',
  url: `https://${name}/`,
  status: 'active',
  expiresAt: null,
  maxClicks: null,
  remaining: null,
  purgeAt: null,
  ...(pages && { pages }),
});
