import type { IncomingMessage, ServerResponse } from 'node:http';
import { wantsHtml, type Page, type PagePair } from './pages.js';

/**
 * Responds with a page in the format that the visitor accepts, with `further` headers (name, value …). Does nothing if
 * headers were already sent.
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { html, plain }: PagePair,
  further: readonly string[] = [],
): void {
  const page = wantsHtml(request.headers.accept) ? html : plain;
  sendBody(request, response, further.length === 0 ? page : { ...page, fields: [...page.fields, ...further] });
}

/** Responds with a body, or without it to HEAD. */
export function sendBody(request: IncomingMessage, response: ServerResponse, { status, fields, body }: Page): void {
  if (response.headersSent) return;
  response.writeHead(status, fields as string[]);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
