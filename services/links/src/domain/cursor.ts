import { createHash } from 'node:crypto';
import { fail } from '@tautan/kit';
import { z } from 'zod';
import type { ListQuery } from './list-query.js';
import { packIds, unpackIds } from './packed-ids.js';

/**
 * Where a walk through a list stands:
 * - `after`: behind the link with this sort value (dates in Unix milliseconds) and id, in an order that stands still;
 * - `shown`: behind a first page with these links, in an order that moves with every click;
 * - `walk`: at an offset into the `count` ids that were written down after that first page.
 */
const still = z.strictObject({ after: z.tuple([z.number(), z.string()]) });
const walk = z.strictObject({
  walk: z.string(),
  offset: z.number().int().nonnegative(),
  count: z.number().int().nonnegative(),
});
const told = z.union([still, walk]);
export type StillPosition = z.infer<typeof still>;
export type WalkPosition = z.infer<typeof walk>;
export type Position = StillPosition | WalkPosition | { shown: string[] };

/** First byte of a body that is packed ids; JSON begins with a brace. */
const IDS = 1;
const SEAL_BYTES = 12;
const refused = (): Error => fail('VALIDATION_ERROR', 'cursor does not belong to this query.', 'cursor');

/** An opaque, URL-safe text for a position, bound to the workspace and the query. */
export function writeCursor(workspaceId: string, query: ListQuery, at: Position): string {
  const body = 'shown' in at ? Buffer.concat([Buffer.of(IDS), packIds(at.shown)]) : Buffer.from(JSON.stringify(at));
  return Buffer.concat([seal(workspaceId, query, body), body]).toString('base64url');
}

/** The position of a cursor. Throws VALIDATION_ERROR naming `cursor` for one that was altered or made for another query. */
export function readCursor(workspaceId: string, query: ListQuery, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(SEAL_BYTES);
  if (bytes.toString('base64url') !== cursor) throw refused();
  if (!bytes.subarray(0, SEAL_BYTES).equals(seal(workspaceId, query, body))) throw refused();
  if (body[0] === IDS) return { shown: unpackIds(body.subarray(1)) };
  const result = told.safeParse(parse(body));
  if (!result.success) throw refused();
  return result.data;
}

/** No secret: whoever forges a position sees nothing but links of the own workspace from elsewhere. */
function seal(workspaceId: string, { terms, tags, status, order }: ListQuery, body: Buffer): Buffer {
  const bound = JSON.stringify([workspaceId, terms, tags, status ?? null, order.key, order.direction]);
  return createHash('sha256').update(bound).update('\n').update(body).digest().subarray(0, SEAL_BYTES);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
