import type { IncomingMessage, ServerResponse } from 'node:http';
import { redirectFields, type Exchange } from './exchange.js';
import type { Page } from './pages.js';
import type { RequestHead } from './request-head.js';

/** An exchange on a connection that node:http handles. */
export class NodeExchange implements Exchange {
  onSent: ((status: number) => void) | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly head: RequestHead,
  ) {}

  get method(): string {
    return this.request.method!;
  }

  get target(): string {
    return this.request.url!;
  }

  get peer(): string {
    return this.request.socket.remoteAddress ?? '';
  }

  get accept(): string | undefined {
    return this.request.headers.accept;
  }

  redirect(location: string): void {
    this.response.writeHead(302, ['Location', location, ...redirectFields]).end();
    this.onSent?.(302);
  }

  send({ status, fields, body }: Page): void {
    if (this.response.headersSent) return;
    this.response.writeHead(status, fields as string[]).end(body);
    this.onSent?.(status);
  }
}
