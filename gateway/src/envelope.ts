import { errorCatalog, httpStatus, type ErrorCode, type Fault } from '@tautan/kit';

/** Position of a page in a list; `nextCursor` is absent on the last page. */
export interface Page {
  limit: number;
  hasMore: boolean;
  nextCursor?: string;
}

/**
 * A response without `requestId` and `timestamp`, as stored for retries with the same Idempotency-Key. `cursor` repeats
 * `page.nextCursor` for operations that also return it as `meta.cursor`.
 */
export type Outcome =
  | { data: unknown; error: null; page?: Page; cursor?: string }
  | { data: null; error: { code: ErrorCode; message: string; field?: string } };

/** Returns the body of a JSON response under /api/v1/. */
export function envelope(outcome: Outcome, requestId: string): string {
  const meta = {
    requestId,
    timestamp: new Date().toISOString(),
    ...('page' in outcome && { page: outcome.page }),
    ...('cursor' in outcome && { cursor: outcome.cursor }),
  };
  return JSON.stringify({ data: outcome.data, error: outcome.error, meta });
}

/** Converts a fault to the outcome of a request. */
export function failed({ code, message, field }: Fault): Outcome {
  return { data: null, error: { code, message, ...(field !== undefined && { field }) } };
}

export const statusOf = (code: ErrorCode): number => httpStatus[errorCatalog[code].kind];
