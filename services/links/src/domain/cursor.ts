import { foreignCursor, isId, readCursor as openCursor, writeCursor as sealCursor } from '@tautan/kit';
import { z } from 'zod';
import type { ListQuery } from './list-query.js';
import { packIds, unpackIds } from './packed-ids.js';

/**
 * Where a walk through a list stands:
 * - `after`: behind the link with this sort value (dates in Unix milliseconds) and id, in an order that stands still;
 * - `shown`: behind a first page with these links, in an order that moves with every click;
 * - `walk`: at an offset into the `count` ids that were written down after that first page.
 */
const still = z.strictObject({
  after: z.tuple([
    z.number().refine((ms) => !Number.isNaN(new Date(ms).getTime())),
    z.string().refine((id) => isId(id, 'lnk')),
  ]),
});
const walk = z.strictObject({
  walk: z.string(),
  offset: z.number().int().nonnegative(),
  count: z.number().int().nonnegative(),
});
export type StillPosition = z.infer<typeof still>;
export type WalkPosition = z.infer<typeof walk>;
export type Position = StillPosition | WalkPosition | { shown: string[] };

/** First byte of a body that is packed ids; JSON begins with a brace. */
const IDS = 1;

/** An opaque, URL-safe text for a position, bound to the workspace and the query. */
export function writeCursor(workspaceId: string, query: ListQuery, at: Position): string {
  const body = 'shown' in at ? Buffer.concat([Buffer.of(IDS), packIds(at.shown)]) : Buffer.from(JSON.stringify(at));
  return sealCursor(bound(workspaceId, query), body);
}

/** The position of a cursor. Throws VALIDATION_ERROR naming `cursor` for one that was altered or made for another query. */
export function readCursor(workspaceId: string, query: ListQuery, cursor: string): Position {
  const body = openCursor(bound(workspaceId, query), cursor);
  // The seal is no secret: a position must be checked as well.
  const standsStill = query.order.key === 'createdAt';
  if (body[0] === IDS && !standsStill) return { shown: unpackIds(body.subarray(1)) };
  const result = (standsStill ? still : walk).safeParse(parse(body));
  if (!result.success) throw foreignCursor();
  return result.data;
}

/** What a cursor belongs to. */
const bound = (workspaceId: string, { terms, tags, status, order }: ListQuery): unknown =>
  [workspaceId, terms, tags, status ?? null, order.key, order.direction]; // prettier-ignore

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
