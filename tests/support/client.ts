import type { DeletedRecord, LinkRecord, QrCodeRecord, TagRecord } from '@tautan/proto';
import type { Stack } from './stack.js';

export type ApiLink = LinkRecord;
export type ApiQrCode = QrCodeRecord;
export type ApiTag = TagRecord;

export interface Envelope<T> {
  data: T;
  error: { code: string; message: string; field?: string } | null;
  meta: { requestId: string; timestamp: string; page?: { limit: number; hasMore: boolean; nextCursor?: string } };
}

export interface ApiResponse<T> extends Envelope<T> {
  status: number;
  headers: Headers;
  text: string;
}

export type RequestHeaders = Record<string, string>;

export interface Client {
  request: <T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: RequestHeaders,
  ) => Promise<ApiResponse<T>>;
  get<T = unknown>(path: string, headers?: RequestHeaders): Promise<ApiResponse<T>>;
  post<T = ApiLink>(path: string, body: unknown, headers?: RequestHeaders): Promise<ApiResponse<T>>;
  patch<T = ApiLink>(path: string, body: unknown, headers?: RequestHeaders): Promise<ApiResponse<T>>;
  delete<T = DeletedRecord>(path: string): Promise<ApiResponse<T>>;
}

/** Returns a client whose methods call `request`. */
export const clientOf = (request: Client['request']): Client => ({
  request,
  get: (path, headers) => request('GET', path, undefined, headers),
  post: <T>(path: string, body: unknown, headers?: RequestHeaders) => request<T>('POST', path, body, headers),
  patch: <T>(path: string, body: unknown, headers?: RequestHeaders) => request<T>('PATCH', path, body, headers),
  delete: <T>(path: string) => request<T>('DELETE', path),
});

/** Returns a client of the API. String bodies are sent unchanged, all others as JSON. */
export function apiClient({ baseUrl, apiKey }: Pick<Stack, 'baseUrl' | 'apiKey'>): Client {
  const request: Client['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('application/json') && text !== '';
    const envelope = (json ? JSON.parse(text) : { data: null, error: null, meta: {} }) as Envelope<never>;
    return { ...envelope, status: response.status, headers: response.headers, text };
  };
  return clientOf(request);
}

/** Creates a link and returns it. Throws if the API responds with an error. */
export async function aLink(api: Client, fields: Record<string, unknown> = {}): Promise<ApiLink> {
  const response = await api.post('/links', { url: 'https://example.com/landing', ...fields });
  if (response.status !== 201) throw new Error(`POST /links failed: ${response.text}`);
  return response.data;
}

/** Reads a list page by page, and returns all its items. */
export async function listAll<T>(api: Client, path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor = '';
  for (;;) {
    const separator = path.includes('?') ? '&' : '?';
    const page = await api.get<T[]>(`${path}${cursor && `${separator}cursor=${encodeURIComponent(cursor)}`}`);
    if (page.status !== 200) throw new Error(page.text);
    items.push(...page.data);
    if (!page.meta.page!.hasMore) return items;
    cursor = page.meta.page!.nextCursor!;
  }
}

/** Creates a QR code and returns it. Throws if the API responds with an error. */
export async function aQrCode(api: Client, fields: Record<string, unknown> = {}): Promise<ApiQrCode> {
  const destination = 'linkId' in fields ? {} : { url: 'https://example.com/landing' };
  const response = await api.post<ApiQrCode>('/qr-codes', { ...destination, ...fields });
  if (response.status !== 201) throw new Error(`POST /qr-codes failed: ${response.text}`);
  return response.data;
}
