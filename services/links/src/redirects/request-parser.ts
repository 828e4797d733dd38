/** A parsed request. Its strings are slices that keep the whole head in memory: copy a string before storing it. */
export interface ParsedRequest {
  method: 'GET' | 'HEAD';
  target: string;
  /** The relevant headers: name in lower case, value, name, value … */
  headers: string[];
}

const MAX_HEAD_BYTES = 16 * 1024;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;

/** Bits of `classes`: characters allowed in a target, in a header name and in a header value. */
const TARGET = 1;
const NAME = 2;
const VALUE = 4;
const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  const isVisible = code > SPACE && code < 127;
  const isName = /[\w!#$%&'*+.^`|~-]/.test(String.fromCharCode(code));
  const isValue = code === TAB || (code >= SPACE && code !== 127);
  return (isVisible ? TARGET : 0) | (isName ? NAME : 0) | (isValue ? VALUE : 0);
});
const lowerCase = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

const VERSION = Buffer.from(' HTTP/1.1\r\n');
/** `parse` rejects requests with one of these headers, except `Connection: keep-alive`, which is the default. */
const refused = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'connection'];

/** A header name to look for. */
interface Sought {
  name: string;
  bytes: Buffer;
  refused: boolean;
}

/**
 * Parses requests of the most common form: GET or HEAD of HTTP/1.1 with a complete head (RFC 9112) of at most 16 KiB,
 * no body, and no bytes after the head. It is stricter than Node's parser, so that every request that it accepts has
 * the same meaning to any other parser.
 */
export class RequestParser {
  /** The header names to look for, by their length. */
  readonly #sought: Sought[][] = [];

  /** `names`: the relevant headers, in lower case. */
  constructor(names: readonly string[]) {
    for (const name of [...names, ...refused]) {
      const sought = { name, bytes: Buffer.from(name), refused: refused.includes(name) };
      (this.#sought[name.length] ??= []).push(sought);
    }
    // Lookups in an array without holes are faster.
    for (let i = 0; i < this.#sought.length; i += 1) this.#sought[i] ??= [];
  }

  /** Returns the request, or undefined if the bytes are anything but one request of the common form. */
  parse(bytes: Buffer): ParsedRequest | undefined {
    if (bytes.length > MAX_HEAD_BYTES) return undefined;
    const method = methodOf(bytes);
    if (method === undefined) return undefined;
    const start = method.length + 1;
    const end = skip(bytes, start, TARGET);
    if (end === start || !matches(bytes, end, VERSION)) return undefined;
    // Slices of one string cost less than a string for each value.
    const text = bytes.toString('latin1');
    const headers = this.#headers(bytes, text, end + VERSION.length);
    return headers && { method, target: text.slice(start, end), headers };
  }

  /** Returns the relevant headers from `start` to the end; undefined if the request is not of the common form. */
  #headers(bytes: Buffer, text: string, start: number): string[] | undefined {
    const headers: string[] = [];
    let line = start;
    while (bytes[line] !== CR) {
      const colon = skip(bytes, line, NAME);
      if (colon === line || bytes[colon] !== COLON) return undefined;
      const end = skip(bytes, colon + 1, VALUE);
      if (bytes[end] !== CR || bytes[end + 1] !== LF) return undefined;
      const sought = this.#find(bytes, line, colon);
      if (sought !== undefined) {
        const value = trimmed(text, colon + 1, end);
        if (sought.refused && !(sought.name === 'connection' && value.toLowerCase() === 'keep-alive')) return undefined;
        headers.push(sought.name, value);
      }
      line = end + 2;
    }
    return line === bytes.length - 2 && bytes[line + 1] === LF ? headers : undefined;
  }

  #find(bytes: Buffer, start: number, end: number): Sought | undefined {
    const length = end - start;
    if (length >= this.#sought.length) return undefined;
    for (const sought of this.#sought[length]!) if (matchesIgnoringCase(bytes, start, sought.bytes)) return sought;
    return undefined;
  }
}

/** Returns the values of a header, joined by commas; undefined if it is absent. `head`: bytes that `parse` accepted. */
export function headerOf(head: Buffer, name: string): string | undefined {
  const lines = head.toString('latin1').split('\r\n').slice(1);
  const values = lines.filter((line) => line.toLowerCase().startsWith(`${name}:`));
  return values.length === 0 ? undefined : values.map((line) => line.slice(name.length + 1).trim()).join(', ');
}

function methodOf(bytes: Buffer): 'GET' | 'HEAD' | undefined {
  if (bytes[0] === 71 && bytes[1] === 69 && bytes[2] === 84 && bytes[3] === SPACE) return 'GET';
  return bytes.toString('latin1', 0, 5) === 'HEAD ' ? 'HEAD' : undefined;
}

/** Returns the index of the first byte from `start` that is not in a class of characters. */
function skip(bytes: Buffer, start: number, characterClass: number): number {
  let at = start;
  while (at < bytes.length && (classes[bytes[at]!]! & characterClass) !== 0) at += 1;
  return at;
}

function matches(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[start + i] !== text[i]) return false;
  return true;
}

/** `text` is in lower case. */
function matchesIgnoringCase(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let i = 0; i < text.length; i += 1) if (lowerCase[bytes[start + i]!] !== text[i]) return false;
  return true;
}

/** Returns the text between two indexes without the white space around it (RFC 9110 5.5). */
function trimmed(text: string, start: number, end: number): string {
  let [from, to] = [start, end];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB;
