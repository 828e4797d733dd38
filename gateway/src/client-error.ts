import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { fail, newId, type ErrorCode } from '@tautan/kit';
import { envelope, failed, statusOf } from './envelope.js';

interface Reason {
  code: ErrorCode;
  /** Where HTTP has a more exact status than the code's own. */
  status?: number;
  message: string;
}

const reasons: Record<string, Reason> = {
  HPE_HEADER_OVERFLOW: { code: 'PAYLOAD_TOO_LARGE', status: 431, message: 'The address and headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'TIMEOUT', status: 408, message: 'The request did not arrive in time.' },
};
const malformed: Reason = { code: 'VALIDATION_ERROR', message: 'This is not a well-formed HTTP request.' };

/** Answers what Node's parser refused (RFC 9112), in the envelope as well, and ends the connection. */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { code, message, status = statusOf(code) } = reasons[error.code ?? ''] ?? malformed;
  const body = envelope(failed(fail(code, message)), newId('req'));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
