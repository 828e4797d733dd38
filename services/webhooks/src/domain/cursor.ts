import { invalidCursor, isId, readCursor as read, writeCursor as write } from '@tautan/kit';

/** The filters of a list of deliveries. */
export interface DeliveryFilter {
  workspaceId: string;
  status?: string | undefined;
  endpointId?: string | undefined;
  type?: string | undefined;
}

const boundTo = ({ workspaceId, status, endpointId, type }: DeliveryFilter): unknown =>
  [workspaceId, status, endpointId, type].map((value) => value ?? null);

/** Returns an opaque cursor for the position after a delivery, bound to the list's filters. */
export const writeCursor = (filter: DeliveryFilter, id: string): string => write(boundTo(filter), Buffer.from(id));

/**
 * Returns the delivery id in a cursor. Throws VALIDATION_ERROR naming `cursor` if the cursor is invalid or belongs to
 * another list.
 */
export function readCursor(filter: DeliveryFilter, cursor: string): string {
  const id = read(boundTo(filter), cursor).toString();
  if (!isId(id, 'whd')) throw invalidCursor();
  return id;
}
