import type { IncomingMessage } from 'node:http';
import { ClientAddresses } from '@tautan/kit';

/** Proxies on this machine are the only ones that are believed. */
const addresses = new ClientAddresses(['127.0.0.0/8', '::1']);

/**
 * Returns the IP address of a request's client: what a proxy on this machine says in X-Forwarded-For, else the peer's. Empty
 * once the connection is closed.
 */
export const clientAddressOf = ({ socket, headers }: IncomingMessage): string =>
  addresses.of(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? ''));

/** Whether a request was sent by a client on this machine, without any proxy in between. */
export const isFromThisMachine = (request: IncomingMessage): boolean =>
  addresses.isTrusted(request.socket.remoteAddress ?? '') && !isForwarded(request);

/** Whether a proxy sent the request on: its client may be anybody. */
const isForwarded = ({ headers }: IncomingMessage): boolean =>
  ['forwarded', 'via', 'x-real-ip'].some((name) => name in headers) ||
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-'));
