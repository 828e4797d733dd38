import { createServer } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { listen } from '@tautan/kit';
import { ResponseHeads } from './response-head.js';

const fields = ['Cache-Control', 'no-store', 'Content-Length', '0'];
const now = Date.parse('2026-11-26T10:00:00.500Z');

/** Returns the response that Node.js sends with a status and header fields, and with the Date of `now`. */
async function nodeResponse(status: number, headers: string[], keepAlive: boolean): Promise<string> {
  const server = createServer({ keepAliveTimeout: 75_000 }, (_request, response) => {
    response.shouldKeepAlive = keepAlive;
    response.writeHead(status, headers).end();
  });
  const socket = connect(await listen(server, 0, '127.0.0.1'), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  server.close();
  return chunk.toString('latin1').replace(/Date: [^\r]*/, 'Date: Thu, 26 Nov 2026 10:00:00 GMT');
}

test.each([true, false])('heads equal those of Node.js, keep-alive: %s', async (keepAlive) => {
  const heads = new ResponseHeads(fields, 75);
  expect(heads.render(404, fields, keepAlive, now)).toBe(await nodeResponse(404, fields, keepAlive));
});

test.each([true, false])(
  'heads of two redirects in the same second equal those of Node.js, keep-alive: %s',
  async (keepAlive) => {
    const heads = new ResponseHeads(fields, 75);
    for (const path of ['a', 'b']) {
      const location = `https://example.com/${path}`;
      expect(heads.redirect(location, keepAlive, now)).toBe(
        await nodeResponse(302, ['Location', location, ...fields], keepAlive),
      );
    }
  },
);

test('the date advances with the seconds', () => {
  const heads = new ResponseHeads(fields, 75);
  const dates = [0, 499, 500].map((ms) => /Date: ([^\r]*)/.exec(heads.redirect('x', true, now + ms))![1]);
  expect(dates).toEqual([0, 0, 1].map((s) => `Thu, 26 Nov 2026 10:00:0${s} GMT`));
});
