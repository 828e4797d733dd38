import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listen } from '@tautan/kit';
import fc from 'fast-check';
import { headerOf, RequestParser, type ParsedRequest } from './request-parser.js';

const names = ['host', 'user-agent', 'x_country'];
const parser = new RequestParser(names);
const parse = (text: string) => parser.parse(Buffer.from(text, 'latin1'));

describe('parses', () => {
  test('GET and HEAD requests: finds the relevant headers, whatever the case of their names, and trims the values', () => {
    const lines = ['hOST:\t a.example \t', 'Accept: */*', 'User-Agent: \xe9 b', 'X_Country:ID', 'Host: b'];
    const headers = ['host', 'a.example', 'user-agent', '\xe9 b', 'x_country', 'ID', 'host', 'b'];
    for (const method of ['GET', 'HEAD']) {
      expect(parse(`${method} /a?b HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)).toEqual({
        method,
        target: '/a?b',
        headers,
      });
    }
  });

  test('a head without headers, and a header with an empty value', () => {
    expect(parse('GET / HTTP/1.1\r\n\r\n')).toEqual({ method: 'GET', target: '/', headers: [] });
    expect(parse('GET / HTTP/1.1\r\nHost:\r\n\r\n')?.headers).toEqual(['host', '']);
  });

  test('Connection: keep-alive', () => {
    expect(parse('GET / HTTP/1.1\r\nConnection: Keep-Alive\r\nHost: a\r\n\r\n')).toBeDefined();
  });

  test('headers whose names have any length and any letters', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    const text = `GET / HTTP/1.1\r\n${Array.from(alphabet, (_, i) => `${alphabet.slice(0, i + 1)}: ${i}\r\n`).join('')}\r\n`;
    const { headers } = new RequestParser([alphabet.slice(0, 20), alphabet]).parse(Buffer.from(text.toUpperCase()))!;
    expect(headers).toEqual([alphabet.slice(0, 20), '19', alphabet, '25']);
    expect(parse(text)!.headers).toEqual([]);
  });

  test.each<[string, (byte: string) => string, RegExp]>([
    ['a target', (byte) => `GET /${byte} HTTP/1.1\r\n\r\n`, /[!-~]/],
    ['the name of a header', (byte) => `GET / HTTP/1.1\r\na${byte}: b\r\n\r\n`, /[a-z0-9!#$%&'*+.^_`|~:-]/i],
    ['the value of a header', (byte) => `GET / HTTP/1.1\r\na: b${byte}c\r\n\r\n`, /[\t -~\x80-\xff]/],
  ])('the expected bytes in %s, and no others', (_, requestWith, allowed) => {
    const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
    expect(bytes.filter((byte) => parse(requestWith(byte)))).toEqual(bytes.filter((byte) => allowed.test(byte)));
  });

  test('a head of 16 KiB, but not a longer one', () => {
    const head = (bytes: number) => `GET / HTTP/1.1\r\nX: ${'a'.repeat(bytes - 23)}\r\n\r\n`;
    expect([parse(head(16_384)), parse(head(16_385))]).toEqual([expect.anything(), undefined]);
  });
});

test.each([
  ...['POST', 'XET', 'GXT', 'GEX', 'GETX', 'HEAX', 'HEADX', 'GET\t', ''].map((method) => [
    `the method ${JSON.stringify(method)}`,
    `${method} / HTTP/1.1\r\n\r\n`,
  ]),
  ...['Content-Length', 'Transfer-Encoding', 'Expect', 'Upgrade'].map((name) => [
    `the header ${name}`,
    `GET / HTTP/1.1\r\n${name}: keep-alive\r\n\r\n`,
  ]),
  ['a letter instead of the final line feed', 'GET / HTTP/1.1\r\nHost: a\r\n\ra'],
  ['a letter instead of the line feed of a header', 'GET / HTTP/1.1\r\nX: a\rb\r\n'],
  ['a control character instead of a carriage return', 'GET / HTTP/1.1\r\nX: a\0\n\r\n'],
  ['a method in lower case', 'get / HTTP/1.1\r\n\r\n'],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['no version', 'GET /\r\n\r\n'],
  ['no target', 'GET  HTTP/1.1\r\n\r\n'],
  ['two spaces before the version', 'GET /  HTTP/1.1\r\n\r\n'],
  ['a byte above ASCII in the target', 'GET /\xe9 HTTP/1.1\r\n\r\n'],
  ['a NUL in the target', 'GET /\0 HTTP/1.1\r\n\r\n'],
  ['an empty line before the request', '\r\nGET / HTTP/1.1\r\n\r\n'],
  ['half of a head', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['half of the final line break', 'GET / HTTP/1.1\r\nHost: a\r\n\r'],
  ['a second request', 'GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n'],
  ['a byte after the head', 'GET / HTTP/1.1\r\n\r\na'],
  ['a Content-Length header in lower case', 'GET / HTTP/1.1\r\ncontent-length: 0\r\n\r\n'],
  ['a transfer encoding', 'GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['an expectation', 'GET / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n'],
  ['an upgrade', 'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ['Connection: close', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a name with a space before its colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
  ['a folded line', 'GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n'],
  ['a line without a colon', 'GET / HTTP/1.1\r\nHost\r\n\r\n'],
  ['a line without a name', 'GET / HTTP/1.1\r\n: a\r\n\r\n'],
  ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n'],
  ['a line feed in a value', 'GET / HTTP/1.1\r\nX: a\nContent-Length: 1\r\n\r\n'],
  ['a carriage return in a value', 'GET / HTTP/1.1\r\nX: a\rb\r\n\r\n'],
  ['a NUL in a value', 'GET / HTTP/1.1\r\nX: a\0\r\n\r\n'],
  ['an empty input', ''],
])('leaves %s to another parser', (_, text) => expect(parse(text)).toBeUndefined());

test('joins the values of a header', () => {
  const head = Buffer.from('GET /accept:x HTTP/1.1\r\nACCEPT: a\r\nX-Accept: b\r\nAccept:c \r\n\r\n');
  expect([headerOf(head, 'accept'), headerOf(head, 'host')]).toEqual(['a, c', undefined]);
});

describe('any bytes that the parser accepts as a request', () => {
  let server: Server;
  let port: number;
  let received: (ParsedRequest | 'error')[] = [];

  beforeAll(async () => {
    server = createServer({ requireHostHeader: false }, (request, response) => {
      const pairs = request.rawHeaders.flatMap((name, i, all) =>
        i % 2 === 0 && names.includes(name.toLowerCase()) ? [name.toLowerCase(), all[i + 1]!] : [],
      );
      received.push({ method: request.method as 'GET', target: request.url!, headers: pairs });
      response.end();
    });
    server.on('clientError', (_error, socket) => {
      received.push('error');
      socket.destroy();
    });
    port = await listen(server, 0, '127.0.0.1');
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const mostly = <T>(usual: T, ...others: T[]) =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
  const lineEnd = mostly('\r\n', '\n', '\r', '\r\n ', '');
  const text = fc.stringMatching(/^[\t -~\x80-\xff]{0,12}$/);
  const name = fc.oneof(
    fc.constantFrom('Host', 'user-agent', 'X_Country', 'Connection', 'Accept', 'Cookie'),
    fc.stringMatching(/^[!#-'*+.0-9A-Z^-z|~_-]{1,12}$/),
    mostly('Via', 'Content-Length', 'Transfer-Encoding', '', 'a b', 'é', 'Host '),
  );
  const line = fc
    .tuple(name, mostly(':', '', ' :'), fc.oneof(text, mostly('keep-alive', '\0', '0', 'a\rb', '\x7f')), lineEnd)
    .map((parts) => parts.join(''));
  const request = fc
    .tuple(
      mostly('GET', 'HEAD', 'get', 'POST', ''),
      mostly(' ', '  ', '\t'),
      fc.oneof(fc.stringMatching(/^\/[!-~]{0,20}$/), mostly('/', '*', '/ a', '/\xe9', 'http://a/b')),
      mostly(' HTTP/1.1', ' HTTP/1.0', ' HTTP/1.2', ' http/1.1', ''),
      lineEnd,
      fc.array(line, { maxLength: 6 }).map((lines) => lines.join('')),
      lineEnd,
      mostly('', 'a', '\r\n', 'GET / HTTP/1.1\r\n\r\n'),
    )
    .map((parts) => parts.join(''));

  /** Sends a request followed by one that closes the connection, and returns what the server read. */
  async function readByNode(bytes: string) {
    received = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    socket.write(bytes, 'latin1', () => {
      socket.write('GET /last HTTP/1.1\r\nConnection: close\r\n\r\n');
    });
    await once(socket, 'close');
    return received;
  }

  test('are exactly this one request to Node.js', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(request, async (bytes) => {
        const parsed = parse(bytes);
        if (!parsed) return;
        accepted += 1;
        const headers = parsed.headers.filter((_, i, all) => all[i - (i % 2)] !== 'connection');
        expect(await readByNode(bytes)).toEqual([
          { ...parsed, headers },
          { method: 'GET', target: '/last', headers: [] },
        ]);
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
