import { fail, isId, parseTime } from '@tautan/kit';
import { checkMaxClicks, remainingUnder } from '../../links/domain/expiry.js';
import type { LinkStatus } from '../../links/domain/link.js';
import { checkStatus } from '../../links/domain/patch.js';
import { routeKey, type LinkSnapshot, type Route } from '../../redirects/domain/route.js';
import { checkTagNames } from '../../tags/domain/tag-names.js';
import { checkUrl, type DestinationRules } from '../../links/domain/url.js';

/** What the link service keeps of a QR code, beside its entry in the routing table. */
export interface QrTarget {
  /** The QR code: qr_… */
  _id: string;
  workspaceId: string;
  /** The link that it follows; null for a code that stands alone. */
  linkId: string | null;
  /** On the default domain; as it was generated. */
  slug: string;
  /** Ids of tags. */
  tags: string[];
  /** Of the change that it follows. */
  version: number;
  /** Scans by humans. */
  scanCount: number;
  lastScanAt: Date | null;
  createdAt: Date;
  /** When the trace of a QR code that was removed leaves (TTL); null for others. */
  purgeAt: Date | null;
}

/** The route of a QR code as the QR service wants it. */
export interface QrRouteInput {
  qrCodeId: string;
  version: number;
  url?: string | undefined;
  linkId?: string | undefined;
  status: string;
  expiresAt?: string | undefined;
  maxScans?: number | undefined;
  /** Names; undefined: as they are. */
  tags?: string[] | undefined;
}

/** The same, checked but for its link. */
export interface WantedQrRoute {
  id: string;
  version: number;
  destination: { url: string; linkId: null } | { url: null; linkId: string };
  status: LinkStatus;
  expiresAt: Date | null;
  maxScans: number | null;
  tags: string[] | undefined;
}

/**
 * Checks what needs no look at what there is. A limit that is already reached is no fault: the change was made before it is
 * told here, and its time may have passed meanwhile. Throws VALIDATION_ERROR naming the field.
 */
export function checkQrRoute(input: QrRouteInput, rules: DestinationRules): WantedQrRoute {
  if (!Number.isSafeInteger(input.version) || input.version < 1) {
    throw fail('VALIDATION_ERROR', 'version must be a whole number from 1.', 'version');
  }
  return {
    id: checkQrId(input.qrCodeId),
    version: input.version,
    destination: checkDestination(input, rules),
    status: checkStatus(input.status),
    expiresAt: input.expiresAt === undefined ? null : parseTime('expiresAt', input.expiresAt),
    maxScans: input.maxScans === undefined ? null : checkMaxClicks(input.maxScans, 'maxScans'),
    tags: input.tags && checkTagNames(input.tags),
  };
}

/** Throws VALIDATION_ERROR naming `qrCodeId` for what is none. */
export function checkQrId(id: string): string {
  if (isId(id, 'qr')) return id;
  throw fail('VALIDATION_ERROR', 'qrCodeId must be the id of a QR code.', 'qrCodeId');
}

function checkDestination({ url, linkId }: QrRouteInput, rules: DestinationRules): WantedQrRoute['destination'] {
  if (url !== undefined && linkId === undefined) return { url: checkUrl(url, rules), linkId: null };
  if (url === undefined && linkId !== undefined) return { url: null, linkId };
  throw fail('VALIDATION_ERROR', 'A QR code leads to either a url or a link.', 'url');
}

/** Where scans lead, and what they follow of a link. */
export interface Leading {
  url: string;
  follows: LinkSnapshot | null;
}

/** The entry that redirects go by. `old`: the one that there is; what was used of its limit stays used. */
export function qrRouteOf(
  { _id: qrId, workspaceId, linkId, slug, scanCount }: QrTarget,
  { status, expiresAt, maxScans }: WantedQrRoute,
  { url, follows }: Leading,
  old: Route | null,
): Route {
  const remaining = old
    ? remainingUnder(maxScans, { maxClicks: old.maxClicks, clickCount: scanCount }, old.remaining)
    : maxScans;
  return {
    _id: routeKey(null, slug),
    ...{ workspaceId, linkId, qrId, via: 'qr', url, follows },
    ...{ status, expiresAt, maxClicks: maxScans, remaining, purgeAt: null },
  };
}
