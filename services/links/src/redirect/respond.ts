import type { IncomingMessage, ServerResponse } from 'node:http';
import { wantsHtml, type Page, type PagePair } from './pages.js';

/** Answers with a page, in the form that the visitor asked for. Does nothing when something was sent already. */
export function sendPage(request: IncomingMessage, response: ServerResponse, { html, plain }: PagePair): void {
  sendBody(request, response, wantsHtml(request.headers.accept) ? html : plain);
}

/** Answers with a body; without it on HEAD. */
export function sendBody(request: IncomingMessage, response: ServerResponse, { status, fields, body }: Page): void {
  if (response.headersSent) return;
  response.writeHead(status, fields as string[]);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
