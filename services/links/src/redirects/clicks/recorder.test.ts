import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ClientAddresses } from '@tautan/kit';
import { clickBatch, clickPartition, type ClickBatch } from '@tautan/proto';
import { classifyUserAgent } from '../domain/user-agent.js';
import { prepareRoute } from '../cached-route.js';
import type { Batch } from './batch-builder.js';
import { Places } from './places.js';
import { ClickRecorder, type RawClick } from './recorder.js';

const places = await Places.open(undefined);

function aRoute(linkId = 'lnk_1') {
  return prepareRoute(
    {
      _id: '/a',
      workspaceId: 'ws_1',
      linkId,
      qrId: null,
      via: 'link',
      url: 'https://a.example/',
      status: 'active',
      expiresAt: null,
      maxClicks: null,
      remaining: null,
      purgeAt: null,
    },
    0,
    0,
  );
}

/** Returns the route of a QR code, with or without a link. */
function aQrRoute(qrId: string, linkId: string | null) {
  return prepareRoute(
    {
      _id: '/c',
      workspaceId: 'ws_1',
      linkId,
      qrId,
      via: 'qr',
      url: 'https://a.example/',
      status: 'active',
      expiresAt: null,
      maxClicks: null,
      remaining: null,
      purgeAt: null,
    },
    0,
    0,
  );
}

const aClick = (fields: Partial<RawClick> = {}): RawClick => ({
  at: 1_000_000,
  route: aRoute(),
  userAgent: classifyUserAgent('Mozilla/5.0 Firefox/127.0'),
  peer: '8.8.8.8',
  referrer: '',
  forwardedFor: '',
  country: '',
  ...fields,
});

function setup({ flushMs = 60_000, flushMax = 1_000 } = {}) {
  const sent: Batch[] = [];
  const salts = { at: (ms: number) => `salt of day ${Math.floor(ms / 86_400_000)}` };
  const clients = new ClientAddresses(['10.0.0.0/8']);
  const recorder = new ClickRecorder({
    clients,
    places,
    salts: salts as never,
    flushMs,
    flushMax,
    submit: (batch) => sent.push(batch),
    onDefect: (error) => {
      throw error;
    },
  });
  const read = (): ClickBatch[] => sent.map(({ payload }) => clickBatch.parse(JSON.parse(payload.toString())));
  return { recorder, sent, read };
}
/** Returns the clicks of a batch, with texts in place of their indexes. */
const decode = ({ base, texts, clicks }: ClickBatch) =>
  clicks.map(([offset, link, qr, workspace, verdict, agent, referrer, country, city, visitor, via]) => ({
    at: base + offset,
    link: link < 0 ? null : texts[link],
    qr: qr < 0 ? null : texts[qr],
    workspace: texts[workspace],
    verdict,
    agent: texts[agent],
    referrer: texts[referrer],
    country: texts[country],
    city: texts[city],
    visitor: texts[visitor],
    via,
  }));

afterEach(() => void jest.useRealTimers());
afterEach(() => void jest.restoreAllMocks());

test('forgets the addresses of visitors when all clicks have been flushed', () => {
  jest.useFakeTimers();
  const { recorder } = setup({ flushMs: 50 });
  const lookup = jest.spyOn(places, 'of');
  recorder.record(aClick());
  recorder.record(aClick());
  expect(lookup).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(200);
  recorder.record(aClick());
  expect(lookup).toHaveBeenCalledTimes(2);
  recorder.flush();
});

describe('a flush', () => {
  test('creates one batch per partition in the format of the stream, with the clicks in order', () => {
    const { recorder, sent, read } = setup();
    const links = Array.from({ length: 40 }, (_, i) => `lnk_${i}`);
    links.forEach((link, i) => recorder.record(aClick({ route: aRoute(link), at: 1_000_000 + i })));
    recorder.flush();
    expect(sent).toHaveLength(new Set(links.map(clickPartition)).size);
    for (const [i, batch] of read().entries()) {
      expect(batch.id).toBe(sent[i]!.id);
      const clicks = decode(batch);
      expect(clicks.every(({ link }) => clickPartition(link!) === sent[i]!.partition)).toBe(true);
      expect(clicks.map(({ at }) => at)).toEqual(clicks.map(({ at }) => at).sort());
    }
    expect(
      read()
        .flatMap(decode)
        .map(({ link }) => link)
        .sort(),
    ).toEqual([...links].sort());
  });

  test('encodes a click, but not its IP addresses or the path of its referrer', () => {
    const { recorder, sent, read } = setup();
    recorder.record(aClick({ peer: '10.0.0.1', referrer: 'https://News.example/x', forwardedFor: '8.8.4.4' }));
    recorder.flush();
    expect(decode(read()[0]!)).toEqual([
      {
        at: 1_000_000,
        link: 'lnk_1',
        qr: null,
        workspace: 'ws_1',
        verdict: 'h',
        agent: 'Mozilla/5.0 Firefox/127.0',
        referrer: 'news.example',
        country: 'US',
        city: '',
        visitor: expect.stringMatching(/^[\w-]{22}$/),
        via: 'l',
      },
    ]);
    expect(sent[0]!.payload.toString()).not.toMatch(/8\.8\.4\.4|10\.0\.0\.1/);
  });

  test('encodes a scan with its QR code, and with the link of the QR code if there is one', () => {
    const { recorder, sent, read } = setup();
    const routes = [aQrRoute('qr_1', 'lnk_1'), aQrRoute('qr_2', null), aRoute()];
    for (const route of [...routes, ...routes]) recorder.record(aClick({ route }));
    recorder.flush();
    const decoded = read()
      .flatMap(decode)
      .map(({ link, qr, via }) => [link, qr, via]);
    const expected = [
      ['lnk_1', 'qr_1', 'q'],
      [null, 'qr_2', 'q'],
      ['lnk_1', null, 'l'],
    ];
    expect(decoded.sort()).toEqual([...expected, ...expected].sort());
    expect(sent.map(({ partition }) => partition).sort()).toEqual(
      [clickPartition('lnk_1'), clickPartition('qr_2')].sort(),
    );
  });

  test('accepts a country from trusted proxies only', () => {
    const { recorder, read } = setup();
    recorder.record(aClick({ peer: '10.0.0.1', country: 'ID', forwardedFor: '8.8.8.8' }));
    recorder.record(aClick({ peer: '8.8.8.8', country: 'ID' }));
    recorder.record(aClick({ peer: '10.0.0.1', country: 'XX' }));
    recorder.flush();
    expect(decode(read()[0]!).map(({ country }) => country)).toEqual(['ID', 'US', '']);
  });

  test('assigns the same id to the same visitor, and a different one to another address or user agent', () => {
    const { recorder, read } = setup();
    const other = classifyUserAgent('Mozilla/5.0 Chrome/126.0');
    for (const fields of [{}, {}, { peer: '8.8.4.4' }, { userAgent: other }]) recorder.record(aClick(fields));
    recorder.flush();
    const [a, b, c, d] = decode(read()[0]!).map(({ visitor }) => visitor);
    expect(a).toBe(b);
    expect(new Set([a, c, d]).size).toBe(3);
  });

  test('assigns a new id to a visitor every day', () => {
    const { recorder, read } = setup();
    for (const at of [86_399_999, 86_400_000, 86_400_001]) recorder.record(aClick({ at }));
    recorder.flush();
    const [before, midnight, after] = decode(read()[0]!).map(({ visitor }) => visitor);
    expect(midnight).not.toBe(before);
    expect(after).toBe(midnight);
  });

  test('marks bots, and tolerates a clock that is set back', () => {
    const { recorder, read } = setup();
    recorder.record(aClick({ at: 5_000 }));
    recorder.record(aClick({ at: 4_000, userAgent: classifyUserAgent('Googlebot/2.1') }));
    recorder.flush();
    expect(decode(read()[0]!).map(({ at, verdict }) => [at, verdict])).toEqual([
      [5_000, 'h'],
      [5_000, 'b'],
    ]);
    expect(recorder.recorded).toEqual({ human: 1, bot: 1 });
  });

  test('splits clicks with many long user agents into batches below the maximum message size', () => {
    const { recorder, sent } = setup();
    for (let i = 0; i < 900; i += 1)
      recorder.record(aClick({ userAgent: classifyUserAgent(`${i}${'é"'.repeat(600)}`) }));
    recorder.flush();
    expect(sent.length).toBeGreaterThan(1);
    for (const { payload } of sent) expect(payload.length).toBeLessThan(900_000);
  });
});

test('flushes all partitions together, one interval after the first click', () => {
  jest.useFakeTimers();
  const { recorder, sent } = setup({ flushMs: 50 });
  const links = Array.from({ length: 100 }, (_, i) => `lnk_${i}`);
  const partitions = new Set(links.map(clickPartition)).size;
  for (const link of links) recorder.record(aClick({ route: aRoute(link) }));
  jest.advanceTimersByTime(49);
  recorder.record(aClick());
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(sent).toHaveLength(partitions);
  expect(jest.getTimerCount()).toBe(0);
  recorder.record(aClick());
  jest.advanceTimersByTime(50);
  expect(sent).toHaveLength(partitions + 1);
});

test('a flush cancels the interval, and the next click starts a new one', () => {
  jest.useFakeTimers();
  const { recorder, sent } = setup({ flushMs: 50 });
  recorder.record(aClick());
  jest.advanceTimersByTime(30);
  recorder.flush();
  recorder.record(aClick());
  jest.advanceTimersByTime(49);
  expect(sent).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(sent).toHaveLength(2);
});

test('remembers at most 10,000 addresses', () => {
  const { recorder } = setup({ flushMax: 100_000 });
  const lookup = jest.spyOn(places, 'of');
  const visit = (i: number) => recorder.record(aClick({ peer: `8.8.${i >> 8}.${i & 255}` }));
  for (let i = 0; i < 10_000; i += 1) visit(i);
  visit(0);
  visit(0);
  expect(lookup).toHaveBeenCalledTimes(10_001);
  recorder.flush();
});

test('flushes a partition immediately when its batch is full', () => {
  const { recorder, sent } = setup({ flushMax: 10 });
  for (let i = 0; i < 25; i += 1) recorder.record(aClick());
  expect(sent).toHaveLength(2);
  recorder.flush();
  expect(sent).toHaveLength(3);
});
