import { invalidCursor, isId, readCursor as decodeCursor, writeCursor as encodeCursor } from '@tautan/kit';
import { z } from 'zod';
import type { ListQuery } from './list-query.js';
import { packIds, packUlid, ulidOf, unpackIds } from './packed-ids.js';

const linkPosition = z.strictObject({
  after: z.tuple([
    z.number().refine((ms) => !Number.isNaN(new Date(ms).getTime())),
    z.string().refine((id) => isId(id, 'lnk')),
  ]),
});
export type LinkPosition = z.infer<typeof linkPosition>;
export interface SnapshotPosition {
  snapshot: string;
  offset: number;
  count: number;
  firstPageIds: string[];
}
/**
 * A position in a list:
 * - `after`: after the link with this sort value (dates in Unix milliseconds) and id, in an order that does not change;
 * - `firstPageIds` alone: after a first page with these links, in an order that changes with every click;
 * - `snapshot`: at an offset into the `count` ids of a list snapshot. The first page already returned `firstPageIds`.
 */
export type Position = LinkPosition | SnapshotPosition | { firstPageIds: string[] };

/** First byte of a binary cursor body: the kind of position. A JSON body begins with a brace. */
const IDS = 1;
const SNAPSHOT = 2;
/** Length of a snapshot position without the ids: first byte, snapshot id, offset, count. */
const SNAPSHOT_HEADER_BYTES = 1 + 16 + 4 + 4;

/** Returns an opaque, URL-safe cursor for a position, bound to the workspace and the query. */
export const writeCursor = (workspaceId: string, query: ListQuery, at: Position): string =>
  encodeCursor(boundValues(workspaceId, query), bodyOf(at));

/**
 * Returns the position of a cursor. Throws VALIDATION_ERROR naming `cursor` if it was altered or created for another
 * query.
 */
export function readCursor(workspaceId: string, query: ListQuery, cursor: string): Position {
  const body = decodeCursor(boundValues(workspaceId, query), cursor);
  // The checksum uses no secret and can be forged, so the position must be validated as well.
  if (query.order.key === 'createdAt') {
    const result = linkPosition.safeParse(parse(body));
    if (!result.success) throw invalidCursor();
    return result.data;
  }
  if (body[0] === IDS) return { firstPageIds: unpackIds(body.subarray(1)) };
  if (body[0] === SNAPSHOT && body.length >= SNAPSHOT_HEADER_BYTES) return snapshotPosition(body);
  throw invalidCursor();
}

function bodyOf(at: Position): Buffer {
  if ('after' in at) return Buffer.from(JSON.stringify(at));
  if (!('snapshot' in at)) return Buffer.concat([Buffer.of(IDS), packIds(at.firstPageIds)]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(at.offset, 0);
  numbers.writeUInt32BE(at.count, 4);
  return Buffer.concat([Buffer.of(SNAPSHOT), packUlid(at.snapshot), numbers, packIds(at.firstPageIds)]);
}

const snapshotPosition = (body: Buffer): SnapshotPosition => ({
  snapshot: ulidOf(body.subarray(1, 17)),
  offset: body.readUInt32BE(17),
  count: body.readUInt32BE(21),
  firstPageIds: unpackIds(body.subarray(SNAPSHOT_HEADER_BYTES)),
});

/** The values that a cursor is bound to. */
const boundValues = (workspaceId: string, { terms, tags, status, order, ...more }: ListQuery): unknown => [
  workspaceId,
  terms,
  tags,
  status ?? null,
  order.key,
  order.direction,
  // Omitted if none of these filters is set, so that cursors of earlier versions stay valid.
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
