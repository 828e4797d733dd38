export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  data: never;
  error: { code: string; message: string; field?: string } | null;
  meta: {
    requestId: string;
    timestamp: string;
    page?: { limit: number; hasMore: boolean; nextCursor?: string };
    cursor?: string;
  };
}

export interface Client {
  /**
   * Sends a request to a path under /api/v1, with the client's API key unless `headers` contain another
   * `authorization`. Strings and bytes are sent unchanged, other bodies as JSON.
   */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/**
 * Returns a path relative to /api/v1, for `Client.request`. For a path outside /api/v1, the result starts with
 * `/../..`.
 */
export const relativeToApi = (path: string): string =>
  path.startsWith('/api/v1') ? path.slice('/api/v1'.length) : `/../..${path}`;

/** Returns the path of a route relative to /api/v1, with a valid id for its parameter. */
export const pathWithId = (path: string): string =>
  relativeToApi(path).replace(/\{\w+\}/, 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e');

export const client = (url: string, key: string): Client => ({
  request: async (method, path, body, headers = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as string }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    const parsed = (isJson ? JSON.parse(text) : {}) as Pick<Answer, 'data' | 'error' | 'meta'>;
    return { ...parsed, status: response.status, headers: response.headers, text };
  },
});
