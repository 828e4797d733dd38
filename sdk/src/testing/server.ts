import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server received. */
export interface ReceivedRequest {
  method: string;
  /** Path and query, below /api/v1. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a response. */
export type Answer = (response: ServerResponse) => void;

/** An HTTP server that records requests and sends the responses that a test sets. */
export interface TestServer {
  url: string;
  seen: ReceivedRequest[];
  /** Sets the responses to the next requests, in this order; the last one repeats. Clears `seen`. */
  answer(...answers: Answer[]): void;
  stop(): Promise<void>;
}

const meta = { requestId: 'req_01jd3x8q4v5w6y7z8a9b0c1d2e', timestamp: '2030-01-31T12:00:00.000Z' };

/** Answers with status 200 and `data`. */
export const ok =
  (data: unknown, page?: object): Answer =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, error: null, meta: { ...meta, ...(page && { page }) } }));

/** Answers with an error. */
export const refuse =
  (
    status: number,
    code: string,
    { field, headers }: { field?: string; headers?: Record<string, string> } = {},
  ): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ data: null, error: { code, message: `Refused: ${code}.`, field }, meta }));

export async function startServer(): Promise<TestServer> {
  const seen: ReceivedRequest[] = [];
  let queue: Answer[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url!.replace(/^\/api\/v1/, '');
      seen.push({ method: request.method!, path, headers: request.headers, body });
      const next = queue.length > 1 ? queue.shift() : queue[0];
      next?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (...answers) => {
      queue = answers;
      seen.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
