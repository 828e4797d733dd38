import { foreignCursor, isId, readCursor as openCursor, writeCursor as sealCursor } from '@tautan/kit';
import { z } from 'zod';
import type { ListQuery } from './list-query.js';
import { packIds, packUlid, ulidOf, unpackIds } from './packed-ids.js';

/**
 * Where a walk through a list stands:
 * - `after`: behind the link with this sort value (dates in Unix milliseconds) and id, in an order that stands still;
 * - `shown` alone: behind a first page with these links, in an order that moves with every click;
 * - `order`: at an offset into the `count` ids of a stored order, some of which the first page has `shown` already.
 */
const still = z.strictObject({
  after: z.tuple([
    z.number().refine((ms) => !Number.isNaN(new Date(ms).getTime())),
    z.string().refine((id) => isId(id, 'lnk')),
  ]),
});
export type StillPosition = z.infer<typeof still>;
export interface OrderPosition {
  order: string;
  offset: number;
  count: number;
  shown: string[];
}
export type Position = StillPosition | OrderPosition | { shown: string[] };

/** First byte of a body that is packed ids, alone or behind a place in a stored order; JSON begins with a brace. */
const IDS = 1;
const ORDER = 2;
/** First byte, id of the order, offset, count. */
const ORDER_BYTES = 1 + 16 + 4 + 4;

/** An opaque, URL-safe text for a position, bound to the workspace and the query. */
export const writeCursor = (workspaceId: string, query: ListQuery, at: Position): string =>
  sealCursor(bound(workspaceId, query), bodyOf(at));

/** The position of a cursor. Throws VALIDATION_ERROR naming `cursor` for one that was altered or made for another query. */
export function readCursor(workspaceId: string, query: ListQuery, cursor: string): Position {
  const body = openCursor(bound(workspaceId, query), cursor);
  // The seal is no secret: a position must be checked as well.
  if (query.order.key === 'createdAt') {
    const result = still.safeParse(parse(body));
    if (!result.success) throw foreignCursor();
    return result.data;
  }
  if (body[0] === IDS) return { shown: unpackIds(body.subarray(1)) };
  if (body[0] === ORDER && body.length >= ORDER_BYTES) return orderPosition(body);
  throw foreignCursor();
}

function bodyOf(at: Position): Buffer {
  if ('after' in at) return Buffer.from(JSON.stringify(at));
  if (!('order' in at)) return Buffer.concat([Buffer.of(IDS), packIds(at.shown)]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(at.offset, 0);
  numbers.writeUInt32BE(at.count, 4);
  return Buffer.concat([Buffer.of(ORDER), packUlid(at.order), numbers, packIds(at.shown)]);
}

const orderPosition = (body: Buffer): OrderPosition => ({
  order: ulidOf(body.subarray(1, 17)),
  offset: body.readUInt32BE(17),
  count: body.readUInt32BE(21),
  shown: unpackIds(body.subarray(ORDER_BYTES)),
});

/** What a cursor belongs to. */
const bound = (workspaceId: string, { terms, tags, status, order, ...more }: ListQuery): unknown => [
  workspaceId,
  terms,
  tags,
  status ?? null,
  order.key,
  order.direction,
  // Absent for a query without them, as before there were these filters.
  ...(Object.values(more).some((value) => value !== undefined)
    ? [
        more.domain === null ? 'default' : (more.domain ?? null),
        more.createdBy ?? null,
        more.createdFrom ?? null,
        more.createdTo ?? null,
      ]
    : []),
];

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
