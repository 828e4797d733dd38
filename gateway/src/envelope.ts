import { errorCatalogue, httpStatus, type ErrorCode, type Fault } from '@tautan/kit';

/** Where a page of a list stands; `nextCursor` is absent on the last one. */
export interface Page {
  limit: number;
  hasMore: boolean;
  nextCursor?: string;
}

/** What an answer says besides its `meta`: what is stored for a repetition under one Idempotency-Key. */
export type Outcome =
  | { data: unknown; error: null; page?: Page; cursor?: string }
  | { data: null; error: { code: ErrorCode; message: string; field?: string } };

/** The body of every answer under /api/v1/. */
export function envelope(outcome: Outcome, requestId: string): string {
  const meta = {
    requestId,
    timestamp: new Date().toISOString(),
    ...('page' in outcome && { page: outcome.page }),
    ...('cursor' in outcome && { cursor: outcome.cursor }),
  };
  return JSON.stringify({ data: outcome.data, error: outcome.error, meta });
}

export function failed({ code, message, field }: Fault): Outcome {
  return { data: null, error: { code, message, ...(field !== undefined && { field }) } };
}

export const statusOf = (code: ErrorCode): number => httpStatus[errorCatalogue[code].kind];
