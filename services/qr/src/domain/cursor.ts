import { invalidCursor, isId, readCursor as read, writeCursor as write } from '@tautan/kit';

/** The query of a list of QR codes, to which its cursors are bound. */
export interface ListQuery {
  workspaceId: string;
  terms: string[];
  /** Names or ids, as requested. */
  tags: string[];
  status?: string | undefined;
  linkId?: string | undefined;
}

const boundValues = ({ workspaceId, terms, tags, status, linkId }: ListQuery): unknown => [
  workspaceId,
  terms,
  tags,
  status ?? null,
  linkId ?? null,
];

/** Returns an opaque cursor for the position after a QR code, bound to the list's filters. */
export const writeCursor = (query: ListQuery, id: string): string => write(boundValues(query), Buffer.from(id));

/**
 * Returns the QR code id of a cursor. Throws VALIDATION_ERROR naming `cursor` if it is invalid or belongs to another
 * list.
 */
export function readCursor(query: ListQuery, cursor: string): string {
  const id = read(boundValues(query), cursor).toString();
  if (!isId(id, 'qr')) throw invalidCursor();
  return id;
}
