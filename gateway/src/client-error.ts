import {
  STATUS_CODES,
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { fail, newId, type ErrorCode } from '@tautan/kit';
import { envelope, failed, statusOf } from './envelope.js';

interface Reason {
  code: ErrorCode;
  /** HTTP status, if it is more specific than the code's. */
  status?: number;
  message: string;
}

const reasons: Record<string, Reason> = {
  HPE_HEADER_OVERFLOW: { code: 'PAYLOAD_TOO_LARGE', status: 431, message: 'The URL and headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'TIMEOUT', status: 408, message: 'The request did not arrive in time.' },
};
const malformed: Reason = { code: 'VALIDATION_ERROR', message: 'The request is not valid HTTP.' };

/**
 * Creates an HTTP server that responds to invalid requests with an error envelope, including HTTP/1.1 requests without
 * `Host` (RFC 9112 section 3.2). It ignores an unknown `Expect` (RFC 9110 section 10.1.1). Node.js itself would respond
 * to both without a body.
 */
export function createEnvelopeServer(options: ServerOptions, listener: RequestListener): Server {
  const server = createServer({ ...options, requireHostHeader: false }, (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') return listener(request, response);
    const { status, headers, body } = answerTo(malformed);
    response.writeHead(status, headers).end(body);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  answerClientErrors(server);
  return server;
}

/**
 * Responds to requests that the HTTP parser rejects (RFC 9112) with an error envelope, and closes the connection. While
 * another response is being written, only closes the connection, because the client would read the error envelope as a
 * part of that response.
 */
function answerClientErrors(server: Server): void {
  /** The open responses of a connection: several if its requests are pipelined. */
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isMidResponse = [...(open.get(socket) ?? [])].some((each) => each.headersSent && !each.writableFinished);
    if (error.code === 'ECONNRESET' || !socket.writable || isMidResponse) socket.destroy();
    else socket.end(refusal(reasons[error.code ?? ''] ?? malformed));
  });
}

/** Returns the bytes of a response that ends the connection. */
function refusal(reason: Reason): string {
  const { status, headers, body } = answerTo(reason);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

function answerTo({ code, message, status = statusOf(code) }: Reason) {
  const requestId = newId('req');
  const body = envelope(failed(fail(code, message)), requestId);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  return { status, headers, body };
}
