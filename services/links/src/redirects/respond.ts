import type { IncomingMessage, ServerResponse } from 'node:http';
import { wantsHtml, type Page, type PagePair } from './pages.js';

/**
 * Answers with a page, in the form that the visitor asked for, with `further` header fields (name, value …). Does nothing when
 * something was sent already.
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

/** Answers with a body; without it on HEAD. */
export function sendBody(request: IncomingMessage, response: ServerResponse, { status, fields, body }: Page): void {
  if (response.headersSent) return;
  response.writeHead(status, fields as string[]);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
