import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
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
 * Responds to requests that the HTTP parser rejects (RFC 9112) with an error envelope, and closes the connection. While
 * a response is being written, the connection is only closed, because a second response would be read as part of it.
 */
export function answerClientErrors(server: Server): void {
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

function refusal({ code, message, status = statusOf(code) }: Reason): string {
  const requestId = newId('req');
  const body = envelope(failed(fail(code, message)), requestId);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `X-Request-Id: ${requestId}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
