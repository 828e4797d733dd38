import { clickPartition } from '@tautan/proto';
import { LRUCache } from 'lru-cache';
import type { Route } from '../domain/route.js';

/** What stands behind a routing key, prepared so that answering it takes no more work; and how fresh that knowledge is. */
export interface Answer {
  /** gone: expired or archived (410). missing: nothing, or a deleted link (404). */
  state: 'active' | 'gone' | 'missing';
  /** Printable ASCII, absolute http(s): fit for a Location field as it is. */
  location: string;
  /** Null for a QR code that stands alone. */
  linkId: string | null;
  qrId: string | null;
  workspaceId: string;
  via: 'l' | 'q';
  /** Partition of the clicks of the link, or of the code that stands alone. */
  partition: number;
  /** Unix milliseconds; Infinity without an expiry. */
  expiresAt: number;
  /** Whether humans count down a limit. */
  limited: boolean;
  /** Key of the link whose limit a scan counts down as well, or alone; null where there is none. */
  limitKey: string | null;
  /** Number of the batch of clicks that last named the link (or the code that stands alone), and the number of its name there. */
  namedBy: number;
  nameThere: number;
  /** When it was read (Unix ms), and in which uninterrupted connection to the bus. */
  readAt: number;
  epoch: number;
  /** When its place among the recently used was last renewed (Unix ms). */
  usedAt: number;
}

const nobody = { location: '', linkId: null, qrId: null, workspaceId: '', via: 'l', partition: 0, expiresAt: Infinity, limited: false, limitKey: null } as const; // prettier-ignore

const workspaces = new LRUCache<string, string>({ max: 10_000 });

/** One string for all links of a workspace. */
function shared(workspaceId: string): string {
  const known = workspaces.get(workspaceId);
  if (known === undefined) workspaces.set(workspaceId, workspaceId);
  return known ?? workspaceId;
}

/** Prepares the answer for a routing entry, or for none, as it was read at a moment (Unix ms). */
export function prepareAnswer(route: Route | null, readAt: number, epoch: number): Answer {
  const knowledge = { namedBy: 0, nameThere: 0, readAt, epoch, usedAt: readAt };
  if (!route || route.status === 'deleted') return { state: 'missing', ...nobody, ...knowledge };
  const { follows, remaining } = route;
  const stops = route.status !== 'active' || (remaining !== null && remaining <= 0);
  if (stops || (follows && follows.status !== 'active'))
    return { state: 'gone', ...nobody, workspaceId: shared(route.workspaceId), ...knowledge };
  return {
    state: 'active',
    location: fieldSafe(route.url),
    linkId: route.linkId,
    qrId: route.qrId ?? null,
    workspaceId: shared(route.workspaceId),
    via: route.via === 'qr' ? 'q' : 'l',
    partition: clickPartition(route.linkId ?? route.qrId!),
    expiresAt: follows ? Math.min(timeOf(route.expiresAt), timeOf(follows.expiresAt)) : timeOf(route.expiresAt),
    limited: remaining !== null || follows?.limited === true,
    limitKey: follows?.limited ? follows.key : null,
    ...knowledge,
  };
}

const timeOf = (at: Date | null): number => (at ? at.getTime() : Infinity);

const safeUrl = /^https?:\/\/[\x21-\x7e]+$/;

/** Stored URLs are normalised; one that is not (written by other hands) is, so that no header can be split. Throws on none. */
function fieldSafe(url: string): string {
  if (safeUrl.test(url)) return url;
  const { href, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`a destination of scheme ${protocol}`);
  return href;
}

/** Whether an answer leads on at this moment (Unix ms), and if not, why. */
export const stateAt = (answer: Answer, now: number): Answer['state'] =>
  answer.state === 'active' && answer.expiresAt <= now ? 'gone' : answer.state;
