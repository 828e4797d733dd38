import { foreignCursor, isId, readCursor as read, writeCursor as write } from '@tautan/kit';

/** Which deliveries of a workspace a list shows. */
export interface DeliveryFilter {
  workspaceId: string;
  status?: string | undefined;
  endpointId?: string | undefined;
  type?: string | undefined;
}

const boundTo = ({ workspaceId, status, endpointId, type }: DeliveryFilter): unknown =>
  [workspaceId, status, endpointId, type].map((value) => value ?? null);

/** An opaque text for the place behind a delivery, bound to the list's filters. */
export const writeCursor = (filter: DeliveryFilter, id: string): string => write(boundTo(filter), Buffer.from(id));

/** The delivery that a cursor stands behind. Throws VALIDATION_ERROR naming `cursor` for one of another list. */
export function readCursor(filter: DeliveryFilter, cursor: string): string {
  const id = read(boundTo(filter), cursor).toString();
  if (!isId(id, 'whd')) throw foreignCursor();
  return id;
}
