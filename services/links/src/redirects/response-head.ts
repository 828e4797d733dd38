import { STATUS_CODES } from 'node:http';

/** Renders response heads of HTTP/1.1 as Node.js does, with the Date of the current second (RFC 9110 6.6.1). */
export class ResponseHeads {
  #second = -1;
  #date = '';
  /** The part of a redirect's head that follows its Location, with keep-alive; rendered once per second. */
  #redirectEnd = '';

  /**
   * `redirectFields`: header fields of redirects (name, value …) without their Location. `keepAliveSeconds`: how long
   * connections stay open between two requests.
   */
  constructor(
    private readonly redirectFields: readonly string[],
    private readonly keepAliveSeconds: number,
  ) {}

  /** Returns the head of a redirect with status 302. `now` (Unix ms) determines its Date. */
  redirect(location: string, keepAlive: boolean, now: number): string {
    if (!keepAlive) return this.render(302, ['Location', location, ...this.redirectFields], false, now);
    this.#setTime(now);
    return `HTTP/1.1 302 Found\r\nLocation: ${location}${this.#redirectEnd}`;
  }

  /** Returns the head of a response. `now` (Unix ms) determines its Date. `fields`: name, value … */
  render(status: number, fields: readonly string[], keepAlive: boolean, now: number): string {
    this.#setTime(now);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}${lines(fields)}${this.#end(keepAlive)}`;
  }

  #setTime(now: number): void {
    const second = Math.floor(now / 1_000);
    if (second === this.#second) return;
    this.#second = second;
    this.#date = new Date(now).toUTCString();
    this.#redirectEnd = lines(this.redirectFields) + this.#end(true);
  }

  #end(keepAlive: boolean): string {
    const connection = keepAlive
      ? ['Connection', 'keep-alive', 'Keep-Alive', `timeout=${this.keepAliveSeconds}`]
      : ['Connection', 'close'];
    return `${lines(['Date', this.#date, ...connection])}\r\n\r\n`;
  }
}

/** Returns header lines, each with a line break before it. */
function lines(fields: readonly string[]): string {
  let text = '';
  for (let i = 0; i + 1 < fields.length; i += 2) text += `\r\n${fields[i]}: ${fields[i + 1]}`;
  return text;
}
