import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { bodyOf } from './body.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('reads the complete body even if its response is garbage-collected before the body is read', async () => {
  const server = createServer((_request, response) => response.end('id,slug\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const chunks = bodyOf(await fetch(`http://127.0.0.1:${port}`));
  for (let at = 0; at < 5; at++) {
    await sleep(10);
    collectGarbage();
  }
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  expect(Buffer.concat(read).toString()).toBe('id,slug\n');
  server.close();
});
