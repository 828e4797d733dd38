import type { Principal } from '@tautan/kit';
import { linkStatuses, type LinkStatus, type QrRouteMessage } from '@tautan/proto';
import type { StyleConfig } from '../image/style.js';

/** The status of a QR code in the API. */
export const qrStatuses = linkStatuses;
export type QrStatus = LinkStatus;

/** The link service's part of a QR code: slug, short URL, tags and scan counts. */
export type QrRoute = QrRouteMessage;

/**
 * A copy of the fields of a followed link by which lists of QR codes are filtered. Views contain the current values, which
 * the link service returns.
 */
export interface LinkSnapshot {
  url: string;
  status: QrStatus;
  /** ULID; changes with every write. */
  rev: string;
}

/** Fields that a change can set, except for tags, which belong to the link service. */
export interface Settable {
  title: string | null;
  /**
   * Destination of scans; null in the record of a code that follows a link. Not normalized before the link service has
   * accepted it.
   */
  url: string | null;
  styleConfig: StyleConfig;
  /** Id of an uploaded logo (`lgo_…`); null for none. The API prescribes the name `logoRunRef`. */
  logoRunRef: string | null;
  status: QrStatus;
  expiresAt: Date | null;
  maxScans: number | null;
}

/** The `dueAt` of an unfinished QR code whose claim was released. */
export const UNCLAIMED = new Date(0);

/** The stored record of a QR code. */
export interface QrCode extends Settable {
  /** qr_… */
  _id: string;
  workspaceId: string;
  /** Id of the link that it follows; null for a standalone code. */
  linkId: string | null;
  /** Snapshot of the link, updated when the link changes; null for a standalone code, or before the first snapshot. */
  followed: LinkSnapshot | null;
  /** Null until the link service has assigned it. */
  slug: string | null;
  /** Ids of its tags, for filters. */
  tagIds: string[];
  /** begun: being created and hidden; live: visible; deleted: hidden until its route is removed, then erased. */
  state: 'begun' | 'live' | 'deleted';
  /** Incremented by every change. The link service ignores versions older than its own. */
  version: number;
  /** The pending change; null if there is none. */
  pending: Pending | null;
  /**
   * When the current claim ends, by the clock of the process that made it. Changes with every claim. Other processes do
   * not compare it with their own clocks: they claim the code once this value has stayed the same for long enough
   * (`UnclaimedWatch`). `UNCLAIMED` if the claim was released; null if nothing is unfinished.
   */
  dueAt: Date | null;
  createdBy: { type: 'user' | 'api_key'; id: string };
  createdAt: Date;
  updatedAt: Date;
}

/** A validated change, sent to the link service before it is committed here. */
export interface Pending {
  version: number;
  event: 'qr_code.created' | 'qr_code.updated' | 'qr_code.expired';
  /** Changed fields. */
  set: Partial<Settable>;
  /** Names of all tags of the QR code after the change; null if they stay unchanged. */
  tags: string[] | null;
  /** Names of all its tags before the change. */
  tagsBefore: string[];
  /** The author; null for the system. */
  by: Principal | null;
}

/** Returns the `dueAt` for a claim. It always differs from the previous one, despite clock skew. */
export const nextDueAt = (previous: Date, now: Date, leaseMs: number): Date =>
  new Date(Math.max(now.getTime() + leaseMs, previous.getTime() + 1));
