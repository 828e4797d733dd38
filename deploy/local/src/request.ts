import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** Method (GET by default), headers and body of a request. */
export interface RequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

/**
 * Sends a request to a part of the stack. Rejects if there is no complete response within `timeoutMs`. Uses
 * `node:http`, because `fetch` would compile its parser at the first request, which takes 9 MB of memory that is never
 * returned.
 */
export async function request(
  url: string,
  { body, ...options }: RequestOptions,
  timeoutMs: number,
): Promise<{ status: number; body: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    httpRequest(url, { ...options, signal, agent: false }, (response) => {
      text(response).then((received) => resolve({ status: response.statusCode!, body: received }), reject);
    })
      .on('error', reject)
      .end(body);
  });
}
