import type { IncomingMessage, ServerResponse } from 'node:http';

/** What Node keeps of a rendered head. Not a part of its documented surface, so nothing here relies on it being there. */
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
 * Writes the head of redirects. Node renders the first of each second; those that follow differ from it in nothing but
 * the Location, which is put in its place. Rendering each anew would be the largest part of a redirect's own cost.
 */
export class RedirectHead {
  #second = -1;
  /** What stands before and behind the Location; empty when Node keeps its heads in a way not known here. */
  #before = '';
  #behind = '';

  /** Answers 302. `location` is printable ASCII; `now` is in Unix milliseconds. */
  send(request: IncomingMessage, response: ServerResponse, location: string, now: number): void {
    // Whoever is not kept alive gets another head.
    const usual = response.shouldKeepAlive && request.httpVersionMinor === 1;
    const second = Math.floor(now / 1_000);
    if (usual && second === this.#second && this.#before !== '') {
      response.statusCode = 302;
      (response as Rendered)._header = this.#before + location + this.#behind;
    } else {
      fields[1] = location;
      response.writeHead(302, fields);
      if (usual) this.#learn((response as Rendered)._header, location, second);
    }
    response.end();
  }

  #learn(head: unknown, location: string, second: number): void {
    this.#second = second;
    this.#before = '';
    const line = `\r\nLocation: ${location}\r\n`;
    const at = typeof head === 'string' ? head.indexOf(line) : -1;
    if (at < 0) return;
    const text = head as string;
    this.#before = text.slice(0, at + '\r\nLocation: '.length);
    this.#behind = text.slice(at + line.length - '\r\n'.length);
  }
}
