import type { IncomingMessage } from 'node:http';

// Hop-by-hop headers (RFC 9110 section 7.6.1). The front handles Expect itself.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
// The front does not trust forwarding headers from clients.
const forwarding = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  // Country headers of CDNs.
  'cf-ipcountry',
  'cloudfront-viewer-country',
]);

/** Returns the request headers to send. Keeps names, order and duplicates; replaces framing and forwarding headers. */
export function requestHeaders(request: IncomingMessage): string[] {
  const kept = withoutHopByHop(request.rawHeaders, request.headers.connection, forwarding);
  if (request.headers.host === undefined) kept.push('Host', 'localhost');
  if (request.headers['transfer-encoding'] !== undefined) kept.push('Transfer-Encoding', 'chunked');
  // Without an explicit length, Node would send an empty chunked body.
  else if (request.headers['content-length'] === undefined && !bodylessMethods.has(request.method ?? '')) {
    kept.push('Content-Length', '0');
  }
  kept.push('X-Forwarded-For', clientAddress(request), 'X-Forwarded-Proto', 'http');
  if (request.headers.host !== undefined) kept.push('X-Forwarded-Host', request.headers.host);
  return kept;
}

/** Returns the response headers to send to the client. */
export const responseHeaders = (response: IncomingMessage): string[] =>
  withoutHopByHop(response.rawHeaders, response.headers.connection);

/** Returns whether a request has a body (RFC 9112 section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function withoutHopByHop(raw: string[], connection: string | undefined, also?: Set<string>): string[] {
  const named = new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    // A Connection header must not remove essential headers.
    const dropped = hopByHop.has(name) || also?.has(name) || (named.has(name) && !essential.has(name));
    if (!dropped) kept.push(raw[i]!, raw[i + 1]!);
  }
  return kept;
}

/** Methods for which Node does not send a chunked body by default. */
const bodylessMethods = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const essential = new Set(['host', 'content-length', 'content-type', 'authorization']);

/** Returns the client's IP address. IPv4-mapped IPv6 (::ffff:1.2.3.4) is returned as IPv4. */
const clientAddress = ({ socket }: IncomingMessage): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '') || 'unknown';
