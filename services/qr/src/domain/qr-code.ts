import type { Principal } from '@tautan/kit';
import type { QrRouteMessage } from '@tautan/proto';
import type { StyleConfig } from '../image/style.js';

/** A QR code's state as people see and set it. */
export const qrStatuses = ['active', 'expired', 'archived'] as const;
export type QrStatus = (typeof qrStatuses)[number];

/** What the link service keeps of a QR code: its slug and address, its tags, and what was counted of it. */
export type QrRoute = QrRouteMessage;

/** The part of a link that lists of its QR codes go by. Records show what the link service answers. */
export interface Followed {
  url: string;
  status: QrStatus;
  /** ULID; another one with every write. */
  rev: string;
}

/** What a change can set, but for the tags, which are the link service's. */
export interface Settable {
  title: string | null;
  /** Where scans lead; null where they follow a link, in what is stored. Before the link service has seen it: as it was typed. */
  url: string | null;
  styleConfig: StyleConfig;
  logoRunRef: string | null;
  status: QrStatus;
  expiresAt: Date | null;
  maxScans: number | null;
}

/** The `dueAt` of an unfinished QR code that nobody works on. */
export const LEFT = new Date(0);

/** A QR code as it is kept here. */
export interface QrCode extends Settable {
  /** qr_… */
  _id: string;
  workspaceId: string;
  /** The link that it follows; null for one that stands alone. */
  linkId: string | null;
  /** A copy, brought in line when the link changes; null for a code that stands alone, or before the first copy. */
  followed: Followed | null;
  /** Null until the link service has chosen it. */
  slug: string | null;
  /** Ids of its tags, to be listed by. */
  tagIds: string[];
  /**
   * begun: it is being created, and nobody sees it; live; deleted: nobody sees it any more, and its route is given up
   * good before the record leaves.
   */
  state: 'begun' | 'live' | 'deleted';
  /** Grows with every change; the link service ignores what is older than what it has. */
  version: number;
  /** The change that is under way; null for none. */
  pending: Pending | null;
  /**
   * Differs for everybody who works on it, by whose clock it is the end of the lease; others judge by how long it stays the
   * same (`LeftWatch`). `LEFT` if it is free for the next one; null if nothing is to be done.
   */
  dueAt: Date | null;
  createdBy: { type: 'user' | 'api_key'; id: string };
  createdAt: Date;
  updatedAt: Date;
}

/** A change that is decided, and told to the link service before it holds here. */
export interface Pending {
  version: number;
  event: 'qr_code.created' | 'qr_code.updated' | 'qr_code.expired';
  /** Fields that change. */
  set: Partial<Settable>;
  /** Names of all its tags from now on; null: they stay. */
  tags: string[] | null;
  /** Names of its tags until now. */
  tagsBefore: string[];
  /** Who changes it; null for the system. */
  by: Principal | null;
}

/** Returns the `dueAt` of whoever takes over a QR code: it differs from the one before, whatever the clocks say. */
export const nextDueAt = (seen: Date, now: Date, leaseMs: number): Date =>
  new Date(Math.max(now.getTime() + leaseMs, seen.getTime() + 1));
