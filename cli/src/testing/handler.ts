import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A developer's webhook handler. */
export interface TestHandler {
  url: string;
  received: { headers: IncomingHttpHeaders; path: string; body: Buffer }[];
  /** Sets the response to further requests. */
  answers(status: number, headers?: Record<string, string>, body?: string): void;
  /** Leaves further requests without a response. */
  hangs(): void;
  stop(): Promise<void>;
}

/** Starts a handler that responds with 200 by default. */
export async function startHandler(): Promise<TestHandler> {
  const received: TestHandler['received'] = [];
  let answer: [number, Record<string, string>, string] | undefined = [200, {}, ''];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ headers: request.headers, path: request.url!, body });
      if (answer) response.writeHead(answer[0], answer[1]).end(answer[2]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1`,
    received,
    answers: (status, headers = {}, body = '') => (answer = [status, headers, body]),
    hangs: () => (answer = undefined),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
