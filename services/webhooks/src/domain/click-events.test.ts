import { expect, test } from '@jest/globals';
import { newUlid, timeOfId } from '@tautan/kit';
import { parseClickBatch, type ClickBatch } from '@tautan/proto';
import { clickEvents, workspacesOf } from './click-events.js';

const at = Date.UTC(2030, 0, 1);
const texts = ['lnk_1', 'qr_1', 'ws_1', 'Firefox', '', 'news.example', 'ID', 'Jakarta', 'v', 'ws_2'];
/** Returns a human click on a link as a tuple of `ClickBatch`. `fields` replaces elements, keyed by index. */
const click = (fields: Partial<Record<number, number | string>> = {}) =>
  Object.assign([5, 0, -1, 2, 'h', 3, 4, 4, 4, 8, 'l'], fields);
const batch = (...clicks: unknown[]): ClickBatch => parseClickBatch({ v: 1, id: newUlid(), base: at, texts, clicks });
const all = () => true;

const plain = {
  linkId: 'lnk_1',
  qrCodeId: null,
  source: 'link',
  clickedAt: '2030-01-01T00:00:00.005Z',
  country: null,
  city: null,
  referrer: null,
  userAgent: 'Firefox',
};

test('a click on a link produces one event, a scan of its QR code two, and a scan of a standalone QR code one', () => {
  const scan = click({ 2: 1, 6: 5, 7: 6, 8: 7, 10: 'q' });
  const standalone = click({ 1: -1, 2: 1, 10: 'q' });
  const scanned = { country: 'ID', city: 'Jakarta', referrer: 'news.example', source: 'qr', qrCodeId: 'qr_1' };
  const events = clickEvents(batch(click(), scan, standalone), all);
  expect(events.map(({ id: _, ...event }) => event)).toEqual([
    { type: 'link.clicked', at: plain.clickedAt, workspaceId: 'ws_1', data: plain },
    { type: 'link.clicked', at: plain.clickedAt, workspaceId: 'ws_1', data: { ...plain, ...scanned } },
    { type: 'qr_code.scanned', at: plain.clickedAt, workspaceId: 'ws_1', data: { ...plain, ...scanned } },
    {
      type: 'qr_code.scanned',
      at: plain.clickedAt,
      workspaceId: 'ws_1',
      data: { ...plain, linkId: null, qrCodeId: 'qr_1', source: 'qr' },
    },
  ]);
});

test('each event has its own id, with the time of the click, and a redelivery produces the same ids', () => {
  const clicks = batch(click(), click(), click({ 2: 1 }));
  const ids = clickEvents(clicks, all).map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(clickEvents(clicks, all).map(({ id }) => id)).toEqual(ids);
  expect(clickEvents({ ...clicks, id: newUlid() }, all)[0]!.id).not.toBe(ids[0]);
  for (const id of ids) expect(timeOfId(id).getTime()).toBe(at + 5);
});

test('unwanted events and the clicks of bots are excluded', () => {
  expect(clickEvents(batch(click({ 4: 'b' })), all)).toEqual([]);
  const wanted = clickEvents(
    batch(click({ 2: 1 }), click({ 2: 1, 3: 9 })),
    (workspaceId, type) => workspaceId === 'ws_2' && type === 'qr_code.scanned',
  );
  expect(wanted).toMatchObject([{ workspaceId: 'ws_2', type: 'qr_code.scanned' }]);
});

test('each workspace of a batch is listed once', () => {
  expect(workspacesOf(batch(click(), click({ 3: 9 }), click()))).toEqual(['ws_1', 'ws_2']);
});
