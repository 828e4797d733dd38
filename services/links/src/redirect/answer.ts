import { clickPartition } from '@tautan/proto';
import type { Route } from '../domain/route.js';

/** What stands behind a routing key, prepared so that answering it takes no more work. */
export interface Answer {
  /** gone: expired or archived (410). missing: nothing, or a deleted link (404). */
  state: 'active' | 'gone' | 'missing';
  /** Printable ASCII, absolute http(s): fit for a Location field as it is. */
  location: string;
  linkId: string;
  qrId: string | null;
  workspaceId: string;
  via: 'l' | 'q';
  /** Partition of the link's clicks. */
  partition: number;
  /** Unix milliseconds; Infinity without an expiry. */
  expiresAt: number;
  /** Whether humans count down a limit. */
  limited: boolean;
  /** The batch of clicks that last named the link, and the number of its name there. */
  namedBy: object | null;
  nameThere: number;
}

const nobody = { location: '', linkId: '', qrId: null, workspaceId: '', via: 'l', partition: 0, expiresAt: Infinity, limited: false, namedBy: null, nameThere: 0 } as const; // prettier-ignore

export const missing: Answer = Object.freeze({ state: 'missing', ...nobody });
export const gone: Answer = Object.freeze({ state: 'gone', ...nobody });

/** Prepares the answer for a routing entry, or for none. */
export function prepareAnswer(route: Route | null): Answer {
  if (!route || route.status === 'deleted') return missing;
  if (route.status !== 'active' || (route.remaining !== null && route.remaining <= 0)) return gone;
  return {
    state: 'active',
    location: fieldSafe(route.url),
    linkId: route.linkId,
    qrId: route.qrId ?? null,
    workspaceId: route.workspaceId,
    via: route.via === 'qr' ? 'q' : 'l',
    partition: clickPartition(route.linkId),
    expiresAt: route.expiresAt ? route.expiresAt.getTime() : Infinity,
    limited: route.remaining !== null,
    namedBy: null,
    nameThere: 0,
  };
}

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
