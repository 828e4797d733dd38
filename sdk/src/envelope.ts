import { TautanError } from './error.js';

/** The envelope of every JSON response. */
export interface Envelope<T> {
  data: T;
  error: { code: string; message: string; field?: string } | null;
  meta?: { requestId?: string; page?: PageInfo };
}

export interface PageInfo {
  limit: number;
  hasMore: boolean;
  nextCursor?: string;
}

/** Reads the envelope of a successful response. Throws `UNEXPECTED_RESPONSE` if there is none. */
export async function readEnvelope<T>(response: Response): Promise<Envelope<T>> {
  const envelope = parse<T>(await response.text());
  if (!envelope || envelope.error) throw unexpected(response);
  return envelope;
}

/** Returns the error of a response that is not successful. */
export async function readError(response: Response): Promise<TautanError> {
  const envelope = parse<null>(await response.text());
  const error = envelope?.error;
  if (!error) return unexpected(response);
  const requestId = envelope.meta?.requestId ?? response.headers.get('x-request-id') ?? undefined;
  return new TautanError(error.code, error.message, {
    field: error.field,
    requestId,
    status: response.status,
    response,
  });
}

function parse<T>(text: string): Envelope<T> | undefined {
  try {
    const value = JSON.parse(text) as Envelope<T>;
    return typeof value === 'object' && value && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

function unexpected(response: Response): TautanError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const message = `The response is not from the Tautan API (status ${status}). Check baseUrl.`;
  return new TautanError('UNEXPECTED_RESPONSE', message, { status, requestId, response });
}
