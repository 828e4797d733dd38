import { foreignCursor, isId, readCursor as read, writeCursor as write } from '@tautan/kit';

/** A list of QR codes: what a cursor belongs to. */
export interface ListQuery {
  workspaceId: string;
  terms: string[];
  /** Names or ids, as asked for. */
  tags: string[];
  status?: string | undefined;
  linkId?: string | undefined;
}

const boundTo = ({ workspaceId, terms, tags, status, linkId }: ListQuery): unknown =>
  [workspaceId, terms, tags, status ?? null, linkId ?? null]; // prettier-ignore

/** An opaque text for the place behind a QR code, bound to the list's filters. */
export const writeCursor = (query: ListQuery, id: string): string => write(boundTo(query), Buffer.from(id));

/** The QR code that a cursor stands behind. Throws VALIDATION_ERROR naming `cursor` for one of another list. */
export function readCursor(query: ListQuery, cursor: string): string {
  const id = read(boundTo(query), cursor).toString();
  if (!isId(id, 'qr')) throw foreignCursor();
  return id;
}
