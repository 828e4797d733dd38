import { foreignCursor, isId, readCursor as read, writeCursor as write } from '@tautan/kit';

/** The place behind an invoice in a workspace's list. */
export interface Place {
  date: Date;
  id: string;
}

/** An opaque text for a place in the list of a workspace's invoices. */
export const writeCursor = (workspaceId: string, { date, id }: Place): string =>
  write(workspaceId, Buffer.from(`${date.getTime()} ${id}`));

/** The place that a cursor stands for. Throws VALIDATION_ERROR naming `cursor` for one of another list. */
export function readCursor(workspaceId: string, cursor: string): Place {
  const [time = '', id = ''] = read(workspaceId, cursor).toString().split(' ');
  const date = new Date(Number(time));
  if (!isId(id, 'inv') || Number.isNaN(date.getTime())) throw foreignCursor();
  return { date, id };
}
