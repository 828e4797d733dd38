import type { IncomingMessage, ServerResponse } from 'node:http';
import { icon, pageHeaders, type Page } from './layout.js';
import { Refusal } from './refusal.js';

const MAX_BYTES = 16 * 1024;

/** Returns the URL of a request to an origin; for an invalid request target, a URL whose path `/-` does not exist. */
export function requestUrl({ url = '/' }: IncomingMessage, origin: string): URL {
  return URL.canParse(`${origin}${url}`) ? new URL(`${origin}${url}`) : new URL('/-', origin);
}

/** Returns the body of a request as text. Throws too_large (413) above 16 KiB. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Refusal(413, 'too_large', `The body must not exceed ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the body as a JSON object. Throws invalid_body (400, 415). */
export async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'invalid_body', 'Send JSON, with Content-Type: application/json.');
  const text = await bodyOf(request);
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Refusal(400, 'invalid_body', 'The body must be a JSON object.');
}

/** Returns the fields of a form from one of our pages. Throws forbidden (403) if another site sent it. */
export async function formOf(request: IncomingMessage, origin: string): Promise<Record<string, string>> {
  const { 'sec-fetch-site': site, origin: sender } = request.headers;
  const isOurs = site === undefined ? sender === undefined || sender === origin : site === 'same-origin';
  if (!isOurs) throw new Refusal(403, 'forbidden', 'This form was sent by another site.');
  return Object.fromEntries(new URLSearchParams(await bodyOf(request)));
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  const body = JSON.stringify(value);
  const common = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...common, 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}

export function sendPage(
  response: ServerResponse,
  { status, body, retryAfter }: Page,
  formTargets: readonly string[] = [],
): void {
  const retry = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...pageHeaders(formTargets), ...retry, 'Content-Length': length }).end(body);
}

export function sendIcon(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=86400' }).end(icon);
}
