import type { IncomingMessage } from 'node:http';
import { ClientAddresses } from '@tautan/kit';

/** Only proxies on this machine are trusted. */
const addresses = new ClientAddresses(['127.0.0.0/8', '::1']);

/**
 * Returns the IP address of the client: from X-Forwarded-For if a proxy on this machine sent the request, otherwise
 * from the socket. Returns an empty string if the connection is closed.
 */
export const clientAddressOf = ({ socket, headers }: IncomingMessage): string =>
  addresses.of(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? ''));

/** Returns whether a client on this machine sent the request without a proxy. */
export const isFromThisMachine = (request: IncomingMessage): boolean =>
  addresses.isTrusted(request.socket.remoteAddress ?? '') && !isForwarded(request);

/** Returns whether a proxy forwarded the request. */
const isForwarded = ({ headers }: IncomingMessage): boolean =>
  ['forwarded', 'via', 'x-real-ip'].some((name) => name in headers) ||
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-'));
