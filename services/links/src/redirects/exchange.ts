import type { Page } from './pages.js';
import type { RequestHead } from './request-head.js';

/** A visitor's request, and its response. */
export interface Exchange {
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  readonly head: RequestHead;
  /** Remote address of the connection; empty if unknown. */
  readonly peer: string;
  /** The Accept header; undefined if absent. */
  readonly accept: string | undefined;
  /** Called with the status code after the response was sent. */
  onSent: ((status: number) => void) | undefined;

  /** Responds with 302. `location` is printable ASCII. `now` is the time for the Date header, in Unix milliseconds. */
  redirect(location: string, now: number): void;
  /** Responds with a page, without its body if the method is HEAD. Does nothing if a response was already sent. */
  send(page: Page): void;
}

/** Header fields of a redirect that follow its Location: names and values in turn. */
export const redirectFields = [
  'Cache-Control',
  'private, no-store',
  'X-Robots-Tag',
  'noindex',
  'Referrer-Policy',
  'unsafe-url',
  'Content-Length',
  '0',
] as const;
