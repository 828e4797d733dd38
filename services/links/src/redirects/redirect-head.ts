import type { IncomingMessage, ServerResponse } from 'node:http';

/** Node's internal rendered header block. Undocumented, so every use must tolerate its absence. */
interface Rendered {
  _header?: unknown;
}

const fields = [
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

/**
 * Writes the headers of redirects. Node.js renders the first in each second; the others only differ in their Location,
 * which is substituted. Rendering headers is the largest cost of a redirect.
 */
export class RedirectHead {
  #second = -1;
  /** The rendered headers before and after the Location; empty if Node.js renders them in an unknown way. */
  #prefix = '';
  #suffix = '';

  /** Responds with 302. `location` is printable ASCII; `now` is in Unix milliseconds. */
  send(request: IncomingMessage, response: ServerResponse, location: string, now: number): void {
    // Connections that are not kept alive get different headers.
    const reusable = response.shouldKeepAlive && request.httpVersionMinor === 1;
    const second = Math.floor(now / 1_000);
    if (reusable && second === this.#second && this.#prefix !== '') {
      response.statusCode = 302;
      (response as Rendered)._header = this.#prefix + location + this.#suffix;
    } else {
      fields[1] = location;
      response.writeHead(302, fields);
      if (reusable) this.#store((response as Rendered)._header, location, second);
    }
    response.end();
  }

  #store(head: unknown, location: string, second: number): void {
    this.#second = second;
    this.#prefix = '';
    const line = `\r\nLocation: ${location}\r\n`;
    const at = typeof head === 'string' ? head.indexOf(line) : -1;
    if (at < 0) return;
    const text = head as string;
    this.#prefix = text.slice(0, at + '\r\nLocation: '.length);
    this.#suffix = text.slice(at + line.length - '\r\n'.length);
  }
}
