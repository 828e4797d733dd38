import type { LinkStatus } from '../../links/domain/link.js';
import type { QrCodeData } from '../domain/qr-route.js';
import { byName } from '../../tags/domain/tag-names.js';
import { shortUrlOf, type TagNames } from '../../links/domain/view.js';

/** The route and statistics of a QR code, as returned to the QR service. */
export interface QrRouteView {
  qrCodeId: string;
  slug: string;
  shortUrl: string;
  /** Sorted by name. */
  tags: { id: string; name: string }[];
  scanCount: number;
  lastScanAt?: string;
  /** Number of scans left until the limit is reached; absent without a limit. */
  remaining?: number;
  version: number;
  /** Absent for a standalone QR code. */
  followed?: FollowedLinkView;
}

/** The state of a link that a QR code points to. */
export interface FollowedLinkView {
  url: string;
  status: LinkStatus;
  expiresAt?: string;
  maxClicks?: number;
  deleted?: true;
}

/** Returns a route for the QR service. Omits tags that `names` does not contain: they are being deleted. */
export function qrRouteView(
  { _id, slug, tags, scanCount, lastScanAt, version }: QrCodeData,
  remaining: number | null,
  names: TagNames,
  baseUrl: string,
  followed?: FollowedLinkView,
): QrRouteView {
  return {
    qrCodeId: _id,
    slug,
    shortUrl: shortUrlOf(null, slug, baseUrl),
    tags: tags
      .flatMap((id) => (names.has(id) ? [{ id, name: names.get(id)! }] : []))
      .sort((a, b) => byName(a.name, b.name)),
    scanCount,
    ...(lastScanAt && { lastScanAt: lastScanAt.toISOString() }),
    ...(remaining !== null && { remaining }),
    version,
    ...(followed && { followed }),
  };
}
