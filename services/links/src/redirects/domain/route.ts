import type { CustomDomain } from '../../domains/domain/custom-domain.js';
import type { DomainPages } from '../../domains/domain/domain-pages.js';

/** What the entry of a QR code follows of its link; its address is the entry's `url`. Written with every change of the link. */
export interface LinkSnapshot {
  /** Key of the link's own entry, where a limit of the link is counted down. */
  key: string;
  status: Route['status'];
  expiresAt: Date | null;
  /** Whether the link has a limit of clicks. */
  limited: boolean;
}

/** One entry of the routing table: all that a redirect needs, found by one key. */
export interface Route {
  /** `<host>/<slug in lower case>`; the host is empty for the default domain, whatever its name is today. */
  _id: string;
  workspaceId: string;
  /** Null for a QR code without a link. */
  linkId: string | null;
  /** The QR code that owns the slug, where one does. */
  qrId: string | null;
  /** domain: no slug's, but a verified domain's own entry (`domainRoute`). */
  via: 'link' | 'qr' | 'domain';
  url: string;
  /** deleted: nobody is redirected, and only the same workspace may use the slug again until `purgeAt`. */
  status: 'active' | 'expired' | 'archived' | 'deleted';
  expiresAt: Date | null;
  /** Of a link, or scans of a QR code. */
  maxClicks: number | null;
  /** Humans that may still be redirected; null without a limit. Counted down by redirects, in one conditional update. */
  remaining: number | null;
  /** Of a QR code of a link. */
  follows?: LinkSnapshot | null;
  /** When a deleted entry leaves (TTL); null for others. */
  purgeAt: Date | null;
  /** Of a domain's own entry: what visitors see where there is no link to follow. */
  pages?: DomainPages | null;
}

/** Days that the slug of a deleted link is kept from other workspaces. */
export const QUARANTINE_DAYS = 30;

/** The key of a slug on a domain (null: the default one). */
export const routeKey = (domain: string | null, slug: string): string => `${domain ?? ''}/${slug.toLowerCase()}`;

/** When the quarantine of a slug that is given up now will end. */
export const purgeTime = (now: Date): Date => new Date(now.getTime() + QUARANTINE_DAYS * 86_400_000);

/** Whether a key is one of a custom domain. */
export const isOnCustomDomain = (key: string): boolean => !key.startsWith('/');

/**
 * Whether a workspace may give the key of an entry to a new link, on a domain that is its own or the default one. What
 * others have on a custom domain is from before they lost it, and gives way.
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

/** The key of a custom domain's own entry, which no slug can have. */
export const domainKey = (name: string): string => `${name}/`;

/**
 * The entry of a verified domain. As long as it is there, the domain serves the entries of its workspace, and no others:
 * what stops with a domain stops by one entry, however many links are on it.
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
