/** One entry of the routing table: all that a redirect needs, found by one key. */
export interface Route {
  /** `<host>/<slug in lower case>`; the host is empty for the default domain, whatever its name is today. */
  _id: string;
  workspaceId: string;
  linkId: string;
  /** The QR code that owns the slug, where one does. */
  qrId: string | null;
  via: 'link' | 'qr';
  url: string;
  /** deleted: nobody is redirected, and only the same workspace may use the slug again until `purgeAt`. */
  status: 'active' | 'expired' | 'archived' | 'deleted';
  expiresAt: Date | null;
  maxClicks: number | null;
  /** Humans that may still be redirected; null without a limit. Counted down by redirects, in one conditional update. */
  remaining: number | null;
  /** When a deleted entry leaves (TTL); null for others. */
  purgeAt: Date | null;
}

/** Days that the slug of a deleted link is kept from other workspaces. */
export const QUARANTINE_DAYS = 30;

/** The key of a slug on a domain (null: the default one). */
export const routeKey = (domain: string | null, slug: string): string => `${domain ?? ''}/${slug.toLowerCase()}`;

/** When the quarantine of a slug that is given up now will end. */
export const purgeTime = (now: Date): Date => new Date(now.getTime() + QUARANTINE_DAYS * 86_400_000);

/** Whether a workspace may give the key of an entry to a new link. */
export const isFree = (route: Pick<Route, 'workspaceId' | 'status' | 'purgeAt'>, workspaceId: string, now: Date) =>
  route.status === 'deleted' && (route.workspaceId === workspaceId || (route.purgeAt !== null && route.purgeAt <= now));
