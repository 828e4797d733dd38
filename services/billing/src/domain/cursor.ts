import { invalidCursor, isId, readCursor as read, writeCursor as write } from '@tautan/kit';

/** The position after an invoice in a workspace's list. */
export interface InvoicePosition {
  date: Date;
  id: string;
}

/** Returns an opaque cursor for a position in the list of a workspace's invoices. */
export const writeCursor = (workspaceId: string, { date, id }: InvoicePosition): string =>
  write(workspaceId, Buffer.from(`${date.getTime()} ${id}`));

/**
 * Returns the position in a cursor. Throws VALIDATION_ERROR naming `cursor` if it is invalid or belongs to another list.
 */
export function readCursor(workspaceId: string, cursor: string): InvoicePosition {
  const [time = '', id = ''] = read(workspaceId, cursor).toString().split(' ');
  const date = new Date(Number(time));
  if (!isId(id, 'inv') || Number.isNaN(date.getTime())) throw invalidCursor();
  return { date, id };
}
