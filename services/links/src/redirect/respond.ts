import type { IncomingMessage, ServerResponse } from 'node:http';
import { wantsHtml, type Page, type PagePair } from './pages.js';

// Written and read within one turn of the event loop, so one array serves every redirect.
const redirectFields = [
  'Location',
  '',
  'Cache-Control',
  'private, no-store',
  'X-Robots-Tag',
  'noindex',
  'Referrer-Policy',
  'unsafe-url',
  'Content-Length',
  '0',
];

/** Answers 302. `location` is printable ASCII. */
export function sendRedirect(response: ServerResponse, location: string): void {
  redirectFields[1] = location;
  response.writeHead(302, redirectFields).end();
}

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
