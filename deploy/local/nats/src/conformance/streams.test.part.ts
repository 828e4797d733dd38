import { describe, expect, test } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { Bus, nanos, errorCodeOf } from './bus.test.part.js';
import { eventually, type ServerUnderTest } from './server.test.part.js';

/** Streams: storage, limits and management. */
export function testStreams(server: () => ServerUnderTest): void {
  const bus = Bus.of(server);

  const aStream = (config: Partial<StreamConfig> = {}): Promise<string> => bus.aStream([], config);
  const state = async (name: string): Promise<StreamInfo['state']> => (await bus.jsm.streams.info(name)).state;

  /** Returns the sequence and text of each remaining message. */
  async function remaining(name: string): Promise<string[]> {
    const { first_seq: first, last_seq: last } = await state(name);
    const found: string[] = [];
    for (let seq = first; seq <= last && seq > 0; seq++) {
      const message = await bus.jsm.streams.getMessage(name, { seq }).catch(() => null);
      if (message) found.push(`${seq} ${message.string()}`);
    }
    return found;
  }

  describe('publishing', () => {
    test('is acknowledged with stream and sequence', async () => {
      const name = await aStream();
      expect(await bus.js.publish(`${name}.a`, 'x')).toEqual({ stream: name, seq: 1, duplicate: false });
      bus.nc.publish(`${name}.b`, 'without a reply');
      expect(await bus.js.publish(`${name}.c`)).toMatchObject({ seq: 3 });
      expect(await state(name)).toMatchObject({ messages: 3, first_seq: 1, last_seq: 3, num_subjects: 3 });
    });

    test('deduplicates messages by id, only within the window', async () => {
      const name = await aStream({ duplicate_window: nanos(400) });
      const first = await bus.js.publish(`${name}.a`, 'x', { msgID: 'id' });
      expect(await bus.js.publish(`${name}.b`, 'y', { msgID: 'id' })).toEqual({ ...first, duplicate: true });
      expect(await bus.js.publish(`${name}.a`, 'z', { msgID: 'other' })).toMatchObject({ seq: 2 });
      await eventually(async () => !(await bus.js.publish(`${name}.a`, 'x', { msgID: 'id' })).duplicate);
      expect(await state(name)).toMatchObject({ messages: 3 });
    });

    test('acknowledges concurrent duplicates with the same sequence', async () => {
      const name = await aStream();
      const acks = await Promise.all(
        Array.from({ length: 20 }, () => bus.js.publish(`${name}.a`, 'x', { msgID: 'same' })),
      );
      expect(new Set(acks.map(({ seq }) => seq))).toEqual(new Set([1]));
      expect(acks.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    });

    test("checks the publisher's expectations", async () => {
      const name = await aStream();
      const publish = (expect: object): Promise<unknown> => bus.js.publish(`${name}.a`, 'x', { msgID: 'last', expect });
      await publish({ streamName: name, lastSequence: 0 });
      expect(await errorCodeOf(bus.js.publish(`${name}.a`, 'x', { expect: { streamName: 'OTHER' } }))).toBe(10060);
      expect(await errorCodeOf(bus.js.publish(`${name}.a`, 'x', { expect: { lastSequence: 5 } }))).toBe(10071);
      expect(await errorCodeOf(bus.js.publish(`${name}.a`, 'x', { expect: { lastSubjectSequence: 0 } }))).toBe(10071);
      expect(await errorCodeOf(bus.js.publish(`${name}.a`, 'x', { expect: { lastMsgID: 'first' } }))).toBe(10070);
      await bus.js.publish(`${name}.b`, 'x', {
        expect: { lastSubjectSequence: 0, lastMsgID: 'last', lastSequence: 1 },
      });
      await bus.js.publish(`${name}.a`, 'x', { expect: { lastSubjectSequence: 1 } });
    });

    test('is rejected if the message exceeds the size limit', async () => {
      const name = await aStream({ max_msg_size: 100 });
      await bus.js.publish(`${name}.a`, Buffer.alloc(100));
      expect(await errorCodeOf(bus.js.publish(`${name}.a`, Buffer.alloc(101)))).toBe(10054);
    });
  });

  describe('limits', () => {
    test('`discard: new` rejects messages beyond the limit', async () => {
      const name = await aStream({ discard: 'new', max_msgs: 2 });
      await bus.js.publish(`${name}.a`, '1');
      await bus.js.publish(`${name}.a`, '2');
      const error = await bus.js.publish(`${name}.a`, '3').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 10077, status: 503, message: 'maximum messages exceeded' });
      expect(await remaining(name)).toEqual(['1 1', '2 2']);
      const small = await aStream({ discard: 'new', max_bytes: 1_000 });
      await bus.js.publish(`${small}.a`, Buffer.alloc(500));
      await expect(bus.js.publish(`${small}.a`, Buffer.alloc(500))).rejects.toThrow('maximum bytes exceeded');
    });

    test('`discard: new` per subject rejects messages when a subject is full', async () => {
      const name = await aStream({ discard: 'new', max_msgs_per_subject: 1, discard_new_per_subject: true });
      await bus.js.publish(`${name}.a`, '1');
      await bus.js.publish(`${name}.b`, '2');
      await expect(bus.js.publish(`${name}.a`, '3')).rejects.toThrow('maximum messages per subject exceeded');
    });

    test('`discard: old` removes the oldest messages, by number and by size', async () => {
      const name = await aStream({ max_msgs: 3 });
      for (let n = 1; n <= 5; n++) await bus.js.publish(`${name}.a`, `m${n}`);
      expect(await remaining(name)).toEqual(['3 m3', '4 m4', '5 m5']);
      const sized = await aStream({ max_bytes: 2_500 });
      for (let n = 1; n <= 5; n++) await bus.js.publish(`${sized}.a`, Buffer.alloc(1_000));
      expect(await state(sized)).toMatchObject({ messages: 2, first_seq: 4, last_seq: 5 });
    });

    test('max_msgs_per_subject keeps the last messages of each subject', async () => {
      const name = await aStream({ max_msgs_per_subject: 2 });
      for (const [n, key] of ['a', 'b', 'a', 'a', 'b', 'a'].entries())
        await bus.js.publish(`${name}.${key}`, `${key}${n}`);
      expect(await remaining(name)).toEqual(['2 b1', '4 a3', '5 b4', '6 a5']);
    });

    test('removes messages at their maximum age', async () => {
      const name = await aStream({ max_age: nanos(400) });
      await bus.js.publish(`${name}.a`, 'old');
      await eventually(async () => (await state(name)).messages === 0);
      expect(await bus.js.publish(`${name}.a`, 'new')).toMatchObject({ seq: 2 });
      expect(await state(name)).toMatchObject({ messages: 1, first_seq: 2 });
    });

    test('counts bytes like nats-server', async () => {
      const name = await aStream();
      await bus.js.publish(`${name}.bytes`, Buffer.alloc(1_000));
      const nameHeader = headers();
      nameHeader.set('Name', 'value');
      await bus.js.publish(`${name}.bytes`, Buffer.alloc(1_000), { headers: nameHeader });
      const [subject, header] = [`${name}.bytes`.length, 'NATS/1.0\r\nName: value\r\n\r\n'.length];
      // Per message: 22 bytes before the subject, and 8 after the payload. A header is preceded by its length in 4
      // bytes.
      expect((await state(name)).bytes).toBe(2 * (22 + subject + 1_000 + 8) + 4 + header);
    });
  });

  describe('management', () => {
    test('applies the defaults', async () => {
      const name = await aStream();
      const info = await bus.jsm.streams.info(name);
      expect(info.config).toMatchObject({
        name,
        retention: 'limits',
        discard: 'old',
        storage: 'file',
        num_replicas: 1,
      });
      expect(info.config).toMatchObject({ max_msgs: -1, max_bytes: -1, max_age: 0, max_msgs_per_subject: -1 });
      expect(info.config).toMatchObject({ max_msg_size: -1, max_consumers: -1, duplicate_window: nanos(120_000) });
      expect(info.state).toMatchObject({ messages: 0, bytes: 0, first_seq: 0, last_seq: 0, consumer_count: 0 });
    });

    test('accepts an identical stream again and rejects a different one with the same name', async () => {
      const name = await aStream({ max_msgs: 5 });
      const info = await bus.jsm.streams.info(name);
      const again = await bus.jsm.streams.add({ name, subjects: [`${name}.>`], max_msgs: 5 });
      expect(again.created).toBe(info.created);
      expect(await errorCodeOf(bus.jsm.streams.add({ name, subjects: [`${name}.>`], max_msgs: 6 }))).toBe(10058);
    });

    test('rejects subjects of another stream, invalid configurations and unknown streams', async () => {
      const name = await aStream();
      expect(await errorCodeOf(bus.jsm.streams.add({ name: 'OVER', subjects: [`${name}.a.*`] }))).toBe(10065);
      expect(await errorCodeOf(bus.jsm.streams.add({ name: 'BAD', subjects: ['a..b'] }))).toBe(10052);
      expect(await errorCodeOf(bus.jsm.streams.add({ name: 'BAD', subjects: ['bad'], max_age: 5 }))).toBe(10052);
      expect(await errorCodeOf(bus.jsm.streams.add({ name: 'BAD', subjects: ['bad'], num_replicas: 3 }))).toBe(10074);
      expect(await errorCodeOf(bus.jsm.streams.info('NONE'))).toBe(10059);
      expect(await errorCodeOf(bus.jsm.streams.delete('NONE'))).toBe(10059);
    });

    test('requires no_ack for subjects that overlap with $JS.>, except below $JS.EVENT', async () => {
      if (!bus.atLeast(10)) return;
      const add = (subjects: string[], no_ack: boolean): Promise<StreamInfo> =>
        bus.jsm.streams.add({ name: 'OVERLAP', subjects, no_ack });
      expect(await errorCodeOf(add(['$JS.OTHER.>'], false))).toBe(10052);
      expect(await errorCodeOf(add(['*.>'], false))).toBe(10052);
      for (const [subjects, noAck] of [
        [['$JS.OTHER.>'], true],
        [['$JS.EVENT.METRIC.>'], false],
      ] as const) {
        expect((await add([...subjects], noAck)).config).toMatchObject({ subjects });
        await bus.jsm.streams.delete('OVERLAP');
      }
    });

    test('updates limits and subjects', async () => {
      const name = await aStream();
      for (let n = 1; n <= 5; n++) await bus.js.publish(`${name}.a`, `m${n}`);
      await bus.jsm.streams.update(name, { max_msgs: 2, subjects: [`${name}.new`] });
      expect(await remaining(name)).toEqual(['4 m4', '5 m5']);
      await bus.js.publish(`${name}.new`, 'm6');
      await expect(bus.js.publish(`${name}.a`, 'gone')).rejects.toThrow();
    });

    test('lists streams and finds them by subject', async () => {
      const name = await aStream();
      expect(await bus.jsm.streams.find(`${name}.x`)).toBe(name);
      const names = await bus.jsm.streams.names(`${name}.*`).next();
      expect(names).toEqual([name]);
      expect((await bus.jsm.streams.list().next()).map((info) => info.config.name)).toContain(name);
      expect((await bus.jsm.getAccountInfo()).streams).toBeGreaterThan(0);
    });

    test('gets a message by its sequence, or the last or next message of a subject', async () => {
      const name = await aStream();
      const nameHeader = headers();
      nameHeader.set('Name', 'value');
      for (const key of ['a', 'b', 'a', 'b']) await bus.js.publish(`${name}.${key}`, key, { headers: nameHeader });
      const first = await bus.jsm.streams.getMessage(name, { seq: 1 });
      expect(first).toMatchObject({ seq: 1, subject: `${name}.a` });
      expect([first!.string(), first!.header.get('Name')]).toEqual(['a', 'value']);
      expect(await bus.jsm.streams.getMessage(name, { last_by_subj: `${name}.a` })).toMatchObject({ seq: 3 });
      expect(await bus.jsm.streams.getMessage(name, { last_by_subj: `${name}.*` })).toMatchObject({ seq: 4 });
      const next = { seq: 2, next_by_subj: `${name}.a` } as { seq: number };
      expect(await bus.jsm.streams.getMessage(name, next)).toMatchObject({ seq: 3 });
      expect(await bus.jsm.streams.getMessage(name, { seq: 99 })).toBeNull();
    });

    test('gets messages directly if the stream allows it', async () => {
      const name = await aStream({ allow_direct: true });
      await bus.js.publish(`${name}.a`, 'one');
      await bus.js.publish(`${name}.a`, 'two');
      const bySeq = await bus.jsm.direct.getMessage(name, { seq: 1 });
      expect([bySeq!.string(), bySeq!.subject, bySeq!.seq]).toEqual(['one', `${name}.a`, 1]);
      expect((await bus.jsm.direct.getMessage(name, { last_by_subj: `${name}.a` }))!.string()).toBe('two');
      expect(await bus.jsm.direct.getMessage(name, { seq: 9 })).toBeNull();
    });

    test('deletes single messages', async () => {
      const name = await aStream();
      for (let n = 1; n <= 3; n++) await bus.js.publish(`${name}.a`, `m${n}`);
      expect(await bus.jsm.streams.deleteMessage(name, 2)).toBe(true);
      expect(await errorCodeOf(bus.jsm.streams.deleteMessage(name, 2))).toBe(10043);
      expect(await remaining(name)).toEqual(['1 m1', '3 m3']);
      const info = await bus.jsm.streams.info(name, { deleted_details: true });
      expect(info.state).toMatchObject({ num_deleted: 1, deleted: [2] });
    });

    test('purges all messages, those of a subject, those below a sequence, or all but the last ones', async () => {
      const name = await aStream();
      for (const [n, key] of ['a', 'b', 'a', 'b', 'a', 'b'].entries())
        await bus.js.publish(`${name}.${key}`, `${key}${n + 1}`);
      expect(await bus.jsm.streams.purge(name, { filter: `${name}.a`, keep: 1 })).toMatchObject({
        success: true,
        purged: 2,
      });
      expect(await remaining(name)).toEqual(['2 b2', '4 b4', '5 a5', '6 b6']);
      expect(await bus.jsm.streams.purge(name, { seq: 5 })).toMatchObject({ purged: 2 });
      expect(await bus.jsm.streams.purge(name)).toMatchObject({ purged: 2 });
      expect(await state(name)).toMatchObject({ messages: 0, bytes: 0, first_seq: 7, last_seq: 6 });
      expect(await bus.js.publish(`${name}.a`)).toMatchObject({ seq: 7 });
    });

    test('returns the number of messages per subject', async () => {
      const name = await aStream();
      for (const key of ['a', 'b', 'a', 'c.d']) await bus.js.publish(`${name}.${key}`);
      const info = await bus.jsm.streams.info(name, { subjects_filter: `${name}.*` });
      expect(info.state.subjects).toEqual({ [`${name}.a`]: 2, [`${name}.b`]: 1 });
    });

    test('removes a deleted stream completely', async () => {
      const name = await aStream();
      await bus.js.publish(`${name}.a`);
      expect(await bus.jsm.streams.delete(name)).toBe(true);
      expect(await errorCodeOf(bus.jsm.streams.info(name))).toBe(10059);
      const again = await bus.jsm.streams.add({ name, subjects: [`${name}.>`] });
      expect(again.state).toMatchObject({ messages: 0, last_seq: 0 });
    });
  });
}
