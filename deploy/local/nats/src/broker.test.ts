import { afterEach, describe, expect, test } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { Broker } from './broker.js';
import { RawClient } from './conformance/raw-client.test.part.js';
import { eventually } from './conformance/server.test.part.js';
import { Router } from './routing/router.js';

const limits = { maxPayload: 1024 * 1024, maxPending: 1024 * 1024, pingInterval: 60_000, maxPingsOut: 2 };
let broker: Broker;
let lines: string[];

async function start(changed: Partial<typeof limits> = {}): Promise<number> {
  lines = [];
  broker = new Broker(new Router(), { ...limits, ...changed }, (line) => lines.push(line));
  return broker.listen(0, '127.0.0.1');
}

afterEach(() => broker.close());

describe('the broker', () => {
  test('disconnects a client that does not read, and continues to serve others', async () => {
    const port = await start();
    const slow: Socket = connect(port, '127.0.0.1');
    slow.on('error', () => undefined);
    slow.write('CONNECT {"verbose":false}\r\nSUB flood 1\r\nPING\r\n');
    await new Promise((resolve) => slow.once('data', resolve));
    slow.pause();
    const client = await RawClient.connect(port, { verbose: false });
    client.send('SUB other 1\r\n');
    const message = Buffer.from(`PUB flood 500000\r\n${'x'.repeat(500_000)}\r\n`);
    await eventually(async () => {
      client.send(message);
      await new Promise(setImmediate);
      return lines.some((line) => line.endsWith('disconnected: slow consumer'));
    });
    client.send('PUB other 2\r\nhi\r\n');
    await client.waitFor(/MSG other 1 2\r\nhi\r\n/);
    client.end();
    slow.destroy();
  });

  test('disconnects a client that does not respond to pings, and keeps one that does', async () => {
    const port = await start({ pingInterval: 30 });
    const [silent, lively] = [await RawClient.connect(port), await RawClient.connect(port)];
    const answering = setInterval(() => lively.send('PONG\r\n'), 10);
    await silent.waitFor(/PING\r\nPING\r\n-ERR 'Stale Connection'\r\n/);
    await silent.waitForClose();
    await lively.waitFor(/(PING\r\n){4}/);
    clearInterval(answering);
    lively.end();
  });

  test('can be closed while a client does not read', async () => {
    const port = await start({ maxPending: 64 * 1024 * 1024 });
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => undefined);
    silent.write('CONNECT {"verbose":false}\r\nSUB flood 1\r\nPING\r\n');
    await new Promise((resolve) => silent.once('data', resolve));
    silent.pause();
    const client = await RawClient.connect(port, { verbose: false });
    for (let n = 0; n < 40; n += 1) client.send(Buffer.from(`PUB flood 500000\r\n${'x'.repeat(500_000)}\r\n`));
    client.send('PING\r\n');
    await client.waitFor(/PONG/);
    await broker.close();
    silent.destroy();
  });

  test('accepts no clients after it is closed, and disconnects the existing ones', async () => {
    const port = await start();
    const client = await RawClient.connect(port, { verbose: false });
    await broker.close();
    await client.waitForClose();
    const refused = await new Promise((resolve) => connect(port, '127.0.0.1').once('error', resolve));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    await start();
  });
});
