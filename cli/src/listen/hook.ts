import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Maximum size of a request body (bytes). */
const MAX_BODY_BYTES = 5 * 1_024 * 1_024;
/** Maximum time that `close` waits for pending responses (ms). */
const DRAIN_MS = 2_000;

/** A received request. */
export interface Incoming {
  headers: IncomingMessage['headers'];
  /** Alternating names and values. */
  rawHeaders: string[];
  body: Buffer;
}

/** The response to a delivery. */
export interface HookAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** Responds to a delivery. `disconnected` is aborted when the client disconnects. */
export type Receive = (incoming: Incoming, disconnected: AbortSignal) => Promise<HookAnswer>;

/** A local HTTP server that receives deliveries. */
export interface Hook {
  /** URL of the server, with an unguessable path. */
  url: string;
  /** Starts handling requests, including those that are already waiting. */
  start(receive: Receive): void;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on 127.0.0.1 that accepts POST on a secret path. It responds to HEAD with 204, for liveness
 * checks. POST requests wait for `start`.
 */
export async function openHook(): Promise<Hook> {
  let start: Hook['start'];
  const started = new Promise<Receive>((resolve) => (start = resolve));
  const path = `/${randomBytes(16).toString('base64url')}`;
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    if (request.method === 'HEAD') return void response.writeHead(204).end();
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST, HEAD' }).end();
    answer(request, response, started).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    start: start!,
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, started: Promise<Receive>): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const body = await bodyOf(request);
  if (!body) return void response.writeHead(413, { connection: 'close' }).end();
  const { headers, rawHeaders } = request;
  const receive = await started;
  const result = await receive({ headers, rawHeaders, body }, disconnected.signal);
  response.writeHead(result.status, result.headers).end(result.body);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
