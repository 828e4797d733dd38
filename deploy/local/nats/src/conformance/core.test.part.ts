import { beforeAll, describe, expect, test } from '@jest/globals';
import { createInbox, headers, RequestError, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { randomBytes } from 'node:crypto';
import { RawClient } from './raw-client.test.part.js';
import { eventually, type ServerUnderTest } from './server.test.part.js';

const quiet = { verbose: false, pedantic: false };

/** Publish, subscribe and request without streams. */
export function testCore(server: () => ServerUnderTest): void {
  let nc: NatsConnection;
  beforeAll(async () => {
    nc = await server().connect();
  });

  async function collect(subject: string, options: { queue?: string; max?: number } = {}): Promise<Msg[]> {
    const received: Msg[] = [];
    nc.subscribe(subject, { ...options, callback: (_, message) => void received.push(message) });
    await nc.flush();
    return received;
  }

  const subjects = (received: Msg[]): string[] => received.map(({ subject }) => subject);

  describe('publish and subscribe', () => {
    test('announces support for headers, JetStream and payloads of up to 1 MiB', () => {
      expect(nc.info).toMatchObject({ headers: true, jetstream: true, max_payload: 1_048_576, proto: 1 });
    });

    test('matches * with one token and > with one or more', async () => {
      const [one, rest, all] = [await collect('w.*.c'), await collect('w.a.>'), await collect('w.>')];
      for (const subject of ['w.a.c', 'w.b.c', 'w.a', 'w.a.b.c', 'w', 'x.a.c']) nc.publish(subject);
      await nc.flush();
      expect(subjects(one)).toEqual(['w.a.c', 'w.b.c']);
      expect(subjects(rest)).toEqual(['w.a.c', 'w.a.b.c']);
      expect(subjects(all)).toEqual(['w.a.c', 'w.b.c', 'w.a', 'w.a.b.c']);
    });

    test('delivers each message to one member of a queue group and to every plain subscriber', async () => {
      const members = [await collect('q.x', { queue: 'g' }), await collect('q.*', { queue: 'g' })];
      const [other, plain] = [await collect('q.x', { queue: 'h' }), await collect('q.x')];
      for (let n = 0; n < 200; n++) nc.publish('q.x', String(n));
      await nc.flush();
      expect(members[0]!.length + members[1]!.length).toBe(200);
      // The probability that 200 messages all go to one member is negligible.
      expect(Math.min(members[0]!.length, members[1]!.length)).toBeGreaterThan(0);
      expect([other.length, plain.length]).toEqual([200, 200]);
    });

    test('transmits headers, including repeated ones, and binary payloads', async () => {
      const received = await collect('h.x');
      const set = headers();
      set.append('Some-Thing', 'one');
      set.append('Some-Thing', 'two: three');
      const payload = randomBytes(100_000);
      nc.publish('h.x', payload, { headers: set, reply: 'back' });
      nc.publish('h.x', undefined, { headers: set });
      await nc.flush();
      expect(received[0]!.headers!.values('Some-Thing')).toEqual(['one', 'two: three']);
      expect(Buffer.from(received[0]!.data).equals(payload)).toBe(true);
      expect(received[0]!.reply).toBe('back');
      expect(received[1]!.data.length).toBe(0);
    });

    test('ends a subscription after its maximum number of messages', async () => {
      const received = await collect('m.x', { max: 3 });
      for (let n = 0; n < 10; n++) nc.publish('m.x');
      await nc.flush();
      expect(received.length).toBe(3);
    });

    test('a client with noEcho does not receive its own messages', async () => {
      const noEcho = await server().connect({ noEcho: true });
      const received: Msg[] = [];
      noEcho.subscribe('e.x', { callback: (_, message) => void received.push(message) });
      await noEcho.flush();
      noEcho.publish('e.x', 'own');
      await noEcho.flush();
      nc.publish('e.x', 'other');
      await eventually(() => received.length > 0);
      expect(received.map((message) => message.string())).toEqual(['other']);
    });

    test('handles many concurrent requests', async () => {
      nc.subscribe('r.double', {
        callback: (_, message) => void message.respond(String(Number(message.string()) * 2)),
      });
      const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => nc.request('r.double', String(n))));
      expect(answers.map((answer) => Number(answer.string()))).toEqual(Array.from({ length: 500 }, (_, n) => n * 2));
    });

    test('reports immediately that there are no responders', async () => {
      const start = Date.now();
      const error = await nc.request('r.nobody', '', { timeout: 5_000 }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RequestError);
      expect((error as RequestError).isNoResponders()).toBe(true);
      expect(Date.now() - start).toBeLessThan(2_000);
    });
  });

  describe('the protocol', () => {
    test('responds to PING with PONG, and in verbose mode to other commands with +OK', async () => {
      const client = await RawClient.connect(server().port, { verbose: true });
      await client.waitFor(/\+OK\r\n$/);
      client.send('ping\r\nSUB p.x 1\r\nPUB p.x 2\r\nhi\r\nUNSUB 1\r\n');
      await client.waitFor(/PONG\r\n\+OK\r\n\+OK\r\nMSG p.x 1 2\r\nhi\r\n\+OK\r\n$/);
      client.end();
    });

    test('accepts a message that arrives one byte at a time', async () => {
      const client = await RawClient.connect(server().port, { ...quiet, headers: true });
      client.send('SUB p.bytes 7\r\n');
      for (const byte of Buffer.from('HPUB p.bytes back 23 27\r\nNATS/1.0\r\nName: a b\r\n\r\na\r\nb\r\n')) {
        client.send(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      await client.waitFor(/HMSG p.bytes 7 back 23 27\r\nNATS\/1.0\r\nName: a b\r\n\r\na\r\nb\r\n/);
      client.end();
    });

    test('omits headers for clients without header support', async () => {
      const client = await RawClient.connect(server().port, quiet);
      client.send('SUB p.plain 1\r\nPING\r\n');
      await client.waitFor(/PONG/);
      const set = headers();
      set.set('Name', 'value');
      nc.publish('p.plain', 'text', { headers: set });
      await client.waitFor(/MSG p.plain 1 4\r\ntext\r\n/);
      client.end();
    });

    test('rejects payloads over the maximum', async () => {
      const client = await RawClient.connect(server().port, quiet);
      client.send('PUB p.x 1048577\r\n');
      await client.waitFor(/-ERR 'Maximum Payload Violation'\r\n/);
      await client.waitForClose();
    });

    test('rejects protocol violations and continues to serve other clients', async () => {
      for (const nonsense of ['GET / HTTP/1.1\r\n\r\n', 'PUB p.x 2\r\nhello\r\n', '\0\0\0\0']) {
        const client = await RawClient.connect(server().port, quiet);
        client.send(nonsense);
        await client.waitFor(/-ERR 'Unknown Protocol Operation'\r\n/);
        await client.waitForClose();
      }
      for (const nonsense of ['PUB\r\n', 'PUB a b c d\r\n', 'PUB a -1\r\n', 'SUB a\r\n', 'CONNECT {\r\n']) {
        const client = await RawClient.connect(server().port, quiet);
        client.send(nonsense);
        await client.waitForClose();
      }
      await nc.flush();
    });

    test('rejects an endless control line', async () => {
      const client = await RawClient.connect(server().port, quiet);
      client.send(`SUB ${'x'.repeat(5_000)}`);
      await client.waitFor(/-ERR '.*aximum .*ontrol .*ine .*'/i);
      await client.waitForClose();
    });

    test('rejects invalid subjects and keeps the connection', async () => {
      const client = await RawClient.connect(server().port, { ...quiet, pedantic: true });
      client.send('SUB a..b 1\r\nSUB >.a 2\r\nPUB a.* 0\r\n\r\nPING\r\n');
      await client.waitFor(
        /-ERR 'Invalid Subject'\r\n-ERR 'Invalid Subject'\r\n-ERR 'Invalid Publish Subject'\r\nPONG/,
      );
      client.end();
    });

    test('survives random bytes', async () => {
      for (let round = 0; round < 40; round++) {
        const client = await RawClient.connect(server().port, quiet);
        client.send(Buffer.concat([Buffer.from(['', 'PUB ', 'SUB ', 'CONNECT {'][round % 4]!), randomBytes(300)]));
        client.end();
      }
      const inbox = createInbox();
      const received = await collect(inbox);
      nc.publish(inbox);
      await eventually(() => received.length === 1);
    });
  });
}
