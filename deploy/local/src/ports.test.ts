import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { choosePermanentPort, isFree, reservePorts } from './ports.js';

const HOST = '127.0.0.1';

test('stacks that start at the same time never reserve the same port', async () => {
  const reserved = await Promise.all(Array.from({ length: 8 }, () => reservePorts(22, HOST, [])));
  const ports = reserved.flatMap((each) => each.ports);
  expect(new Set(ports).size).toBe(8 * 22);
  await Promise.all(reserved.map((each) => each.release()));
});

test('does not reserve ports that are excluded or in use', async () => {
  const first = await reservePorts(127, HOST, [], 0);
  const [inUse, excluded] = first.ports as [number, number];
  await first.release();
  const other = createServer().listen(inUse, HOST);
  await once(other, 'listening');
  const second = await reservePorts(100, HOST, [excluded], 0);
  expect(second.ports).toHaveLength(100);
  expect(second.ports).not.toContain(inUse);
  expect(second.ports).not.toContain(excluded);
  await second.release();
  other.close();
});

test('chooses a free permanent port outside of the blocks of reserved ports', async () => {
  const port = await choosePermanentPort(HOST);
  expect(await isFree(port, HOST)).toBe(true);
  // The 64 blocks of 128 ports begin at port 20,000.
  expect(port).toBeGreaterThanOrEqual(28_192);
});
