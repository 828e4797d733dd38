import { checkLimit, type Principal } from '@tautan/kit';
import { readCursor, writeCursor } from '../domain/cursor.js';
import type { Invoice } from '../domain/invoice.js';
import type { Deps } from '../usecase-deps.js';

const DEFAULT_LIMIT = 50;

/** Returns a page of the workspace's invoices, newest first. Throws VALIDATION_ERROR naming `limit` or `cursor`. */
export async function listInvoices(
  { store }: Pick<Deps, 'store'>,
  { workspaceId }: Principal,
  { limit: wanted, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ invoices: Invoice[]; nextCursor?: string }> {
  const limit = checkLimit(wanted || DEFAULT_LIMIT);
  const after = cursor === undefined ? undefined : readCursor(workspaceId, cursor);
  const found = await store.invoices.page(workspaceId, after, limit + 1);
  const invoices = found.slice(0, limit);
  if (found.length <= limit) return { invoices };
  const { date, _id: id } = invoices.at(-1)!;
  return { invoices, nextCursor: writeCursor(workspaceId, { date, id }) };
}
