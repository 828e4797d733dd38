import { fail, isId, parseTime } from '@tautan/kit';
import { checkMaxClicks, remainingUnder } from '../../links/domain/expiry.js';
import type { LinkStatus } from '../../links/domain/link.js';
import { checkStatus } from '../../links/domain/patch.js';
import { routeKey, type LinkSnapshot, type Route } from '../../redirects/domain/route.js';
import { checkTagNames } from '../../tags/domain/tag-names.js';
import { checkUrl, type DestinationRules } from '../../links/domain/url.js';

/** Data of a QR code in the link service, besides its entry in the routing table. */
export interface QrCodeData {
  /** Id of the QR code, qr_… */
  _id: string;
  workspaceId: string;
  /** Id of the link that it points to; null for a standalone code. */
  linkId: string | null;
  /** Generated slug on the default domain. */
  slug: string;
  /** Ids of tags. */
  tags: string[];
  /** Version of the last applied change. */
  version: number;
  /** Scans by humans. */
  scanCount: number;
  lastScanAt: Date | null;
  createdAt: Date;
  /** Expiry of the tombstone of a deleted QR code (TTL); null otherwise. */
  purgeAt: Date | null;
}

/** The desired state of a QR code's route, as sent by the QR service. */
export interface QrRouteInput {
  qrCodeId: string;
  version: number;
  url?: string | undefined;
  linkId?: string | undefined;
  status: string;
  expiresAt?: string | undefined;
  maxScans?: number | undefined;
  /** Names; undefined leaves the tags unchanged. */
  tags?: string[] | undefined;
}

/** The desired state of a route, validated except for its link. */
export interface DesiredQrRoute {
  id: string;
  version: number;
  destination: { url: string; linkId: null } | { url: null; linkId: string };
  status: LinkStatus;
  expiresAt: Date | null;
  maxScans: number | null;
  tags: string[] | undefined;
}

/** Rules that allow every valid URL. */
export const anyDestination: DestinationRules = { ownHosts: new Set(), allowPrivate: true };

/**
 * Validates what does not depend on stored data. Accepts an expiry that has passed and a scan limit that is reached,
 * because the QR service checked them when it stored the change. Throws VALIDATION_ERROR naming the field.
 */
export function checkQrRoute(input: QrRouteInput, rules: DestinationRules): DesiredQrRoute {
  if (!Number.isSafeInteger(input.version) || input.version < 1) {
    throw fail('VALIDATION_ERROR', 'version must be a positive integer.', 'version');
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

/** Returns the id. Throws VALIDATION_ERROR naming `qrCodeId` if it is not an id of a QR code. */
export function checkQrId(id: string): string {
  if (isId(id, 'qr')) return id;
  throw fail('VALIDATION_ERROR', 'qrCodeId must be the id of a QR code.', 'qrCodeId');
}

function checkDestination({ url, linkId }: QrRouteInput, rules: DestinationRules): DesiredQrRoute['destination'] {
  if (url !== undefined && linkId === undefined) return { url: checkUrl(url, rules), linkId: null };
  if (url === undefined && linkId !== undefined) return { url: null, linkId };
  throw fail('VALIDATION_ERROR', 'Set either url or linkId.', 'url');
}

/** Destination of scans, and the snapshot of the link that provides it, if any. */
export interface RouteDestination {
  url: string;
  follows: LinkSnapshot | null;
}

/** Returns the entry in the routing table. `old`: the existing entry, whose used scans still count. */
export function qrRouteOf(
  { _id: qrId, workspaceId, linkId, slug, scanCount }: QrCodeData,
  { status, expiresAt, maxScans }: DesiredQrRoute,
  { url, follows }: RouteDestination,
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
