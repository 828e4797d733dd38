import { describe, expect, test } from '@jest/globals';
import { newId, timeOfId, writeCursor as writeAnyCursor, type Principal } from '@tautan/kit';
import type { Plan } from '@tautan/proto';
import { readStyle } from '../image/style.js';
import { readCursor, writeCursor, type ListQuery } from './cursor.js';
import { tokenHash } from './download-token.js';
import { checkMaxScans, reachedLimit, remainingUnder, statusAt } from './limits.js';
import { snapshotOf } from './link-snapshot.js';
import { assertLogoIncluded, tooManyLogos } from './logos.js';
import { draftQrCode, newQrCode, type QrCodeInput } from './new-qr-code.js';
import { nextDueAt, type QrCode, type QrRoute } from './qr-code.js';
import { qrCodeView } from './view.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const later = new Date('2030-06-01T00:00:00.001Z');
const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });
const linkId = 'lnk_01jzxv8q4e5r6t7y8w9a0bcdfg';
const defaults = readStyle({}, false);

describe('the limits of a QR code', () => {
  test.each([1, 1_000_000_000])('can be %d scans', (scans) => expect(checkMaxScans(scans)).toBe(scans));

  test.each([0, -1, 1.5, NaN, 1_000_000_001])('cannot be %d scans', (scans) => {
    expect(() => checkMaxScans(scans)).toThrow(refused('maxScans'));
  });

  test.each<[Date | null, number | null, number | null, string | undefined]>([
    [null, null, null, undefined],
    [now, null, null, 'expiresAt'],
    [later, null, null, undefined],
    [later, 1, 1, undefined],
    [later, 1, 0, 'maxScans'],
    [null, 1, -1, 'maxScans'],
    [now, 1, 0, 'expiresAt'],
    [null, 1, null, undefined],
    [null, null, 0, undefined],
  ])('with expiry %j, scan limit %j and %j scans left, %j is reached', (expiresAt, maxScans, remaining, limit) => {
    expect(reachedLimit({ expiresAt, maxScans }, remaining, now)).toBe(limit);
  });

  test('change the status of only active codes to expired', () => {
    const code = { expiresAt: null, maxScans: 1 };
    const used = { scanCount: 1, remaining: 0 };
    expect(statusAt({ ...code, status: 'active' }, used, now)).toBe('expired');
    expect(statusAt({ ...code, status: 'active' }, { scanCount: 1, remaining: 1 }, now)).toBe('active');
    expect(statusAt({ ...code, status: 'active' }, { scanCount: 1 }, now)).toBe('active');
    expect(statusAt({ ...code, status: 'archived' }, used, now)).toBe('archived');
  });

  test.each<[number | null, number | null, number | undefined, number, number | null]>([
    [null, 5, 2, 3, null],
    [5, 5, 2, 3, 2],
    [5, 5, undefined, 3, null],
    // Only the 3 scans that counted against the previous limit are subtracted, not all 100 scans.
    [9, 5, 2, 100, 6],
    [3, 5, 2, 100, 0],
    [2, 5, 2, 100, -1],
    [5, 2, -1, 100, 2],
    [9, null, undefined, 4, 5],
    [9, null, 7, 4, 5],
    [9, 5, undefined, 4, 5],
  ])(
    'set to %j scans instead of %j, with %j left and %d scans in total so far, leave %j',
    (next, before, remaining, scanCount, left) => {
      const counted = { scanCount, ...(remaining !== undefined && { remaining }) };
      expect(remainingUnder(next, { expiresAt: null, maxScans: before }, counted)).toBe(left);
    },
  );
});

describe('a new QR code', () => {
  const draft = (input: Partial<QrCodeInput>) => draftQrCode({ tags: [], ...input }, now);

  test('has the given fields, and defaults for the others', () => {
    expect(draft({ url: 'https://a.example' })).toEqual({
      url: 'https://a.example',
      linkId: null,
      title: null,
      tags: [],
      expiresAt: null,
      maxScans: null,
      styleConfig: defaults,
      logoRunRef: null,
    });
    const given = {
      title: ' A ',
      tags: ['a'],
      expiresAt: later.toISOString(),
      maxScans: 3,
      styleConfig: '{"size":64}',
    };
    expect(draft({ linkId, logoRunRef: 'lgo_1', ...given })).toEqual({
      url: null,
      linkId,
      title: 'A',
      tags: ['a'],
      expiresAt: later,
      maxScans: 3,
      styleConfig: { ...defaults, size: 64, errorCorrection: 'H' },
      logoRunRef: 'lgo_1',
    });
  });

  test('can have a title of 200 characters', () => {
    expect(draft({ linkId, title: 'x'.repeat(200) })).toMatchObject({ title: 'x'.repeat(200) });
  });

  test.each<[string, Partial<QrCodeInput>]>([
    ['url', {}],
    ['url', { url: 'https://a.example', linkId }],
    ['linkId', { linkId: 'qr_01jzxv8q4e5r6t7y8w9a0bcdfg' }],
    ['linkId', { linkId: '', url: 'https://a.example' }],
    ['title', { linkId, title: 'x'.repeat(201) }],
    ['title', { linkId, title: '' }],
    ['expiresAt', { linkId, expiresAt: now.toISOString() }],
    ['maxScans', { linkId, maxScans: 0 }],
    ['styleConfig', { linkId, styleConfig: '{' }],
    ['styleConfig', { linkId, styleConfig: 'null' }],
  ])('is rejected, naming %s, for %j', (field, input) => {
    expect(() => draft(input)).toThrow(refused(field));
  });

  test('starts in the state `begun`, without a slug, and with its creation pending', () => {
    const by = { workspaceId: 'ws_1', kind: 'api_key', id: 'key_1' } as Principal;
    const id = newId('qr');
    const { tags, ...fields } = draft({ linkId, tags: ['a'] });
    expect(newQrCode({ tags, ...fields }, by, id, later)).toEqual({
      ...fields,
      _id: id,
      workspaceId: 'ws_1',
      followed: null,
      slug: null,
      tagIds: [],
      status: 'active',
      state: 'begun',
      version: 0,
      pending: { version: 1, event: 'qr_code.created', set: {}, tags: ['a'], tagsBefore: [], by },
      dueAt: later,
      createdBy: { type: 'api_key', id: 'key_1' },
      createdAt: timeOfId(id),
      updatedAt: timeOfId(id),
    });
  });
});

describe('the view of a QR code', () => {
  const at = '2030-01-01T00:00:00.000Z';
  const code = {
    _id: 'qr_1',
    title: 'A',
    url: null,
    linkId,
    styleConfig: defaults,
    logoRunRef: null,
    status: 'active',
    expiresAt: null,
    maxScans: null,
    createdBy: { type: 'user', id: 'usr_1' },
    createdAt: new Date(at),
    updatedAt: now,
  } as QrCode;
  const route = {
    slug: 's',
    shortUrl: 'https://go.example/s',
    tags: [{ id: 'tag_1', name: 'a' }],
    scanCount: 2,
  } as QrRoute;
  const followed = { url: 'https://b.example', status: 'active', deleted: false };

  test("has the code's own fields if the code is standalone", () => {
    const own = { ...code, url: 'https://a.example', linkId: null, expiresAt: later };
    expect(qrCodeView(own, { ...route, lastScanAt: at })).toEqual({
      id: 'qr_1',
      title: 'A',
      url: 'https://a.example',
      linkId: null,
      slug: 's',
      shortUrl: 'https://go.example/s',
      styleConfig: defaults,
      logoRunRef: null,
      tags: ['a'],
      status: 'active',
      expiresAt: later.toISOString(),
      maxScans: null,
      scanCount: 2,
      lastScanAt: at,
      createdBy: { type: 'user', id: 'usr_1' },
      createdAt: at,
      updatedAt: now.toISOString(),
    });
    expect(qrCodeView(own, route).lastScanAt).toBeNull();
  });

  test.each([
    ['active', 'active', 'active'],
    ['active', 'expired', 'expired'],
    ['archived', 'active', 'archived'],
    ['expired', 'archived', 'expired'],
  ] as const)("has the link's URL; if the code is %s and the link is %s, the status is %s", (own, link, status) => {
    const view = qrCodeView({ ...code, status: own }, { ...route, followed: { ...followed, status: link } });
    expect(view).toMatchObject({ url: 'https://b.example', status });
  });

  test.each([
    [null, undefined, null],
    [3, undefined, 3],
    [null, 4, 4],
    [3, 4, 3],
    [4, 3, 3],
  ])("has the stricter of its own limit %j and its link's limit %j: %j", (own, link, limit) => {
    const time = (day: number) => `2030-07-0${day}T00:00:00.000Z`;
    const limited = {
      ...followed,
      ...(link !== undefined && { maxClicks: link, expiresAt: time(link) }),
    };
    const view = qrCodeView(
      { ...code, maxScans: own, expiresAt: own === null ? null : new Date(time(own)) },
      { ...route, followed: limited },
    );
    expect(view).toMatchObject({ maxScans: limit, expiresAt: limit === null ? null : time(limit) });
  });
});

test('each snapshot of a link has a new revision', () => {
  const [a, b] = [0, 1].map(() => snapshotOf({ url: 'https://a.example', status: 'archived', deleted: true }));
  expect(a).toMatchObject({ url: 'https://a.example', status: 'archived' });
  expect(a!.rev).not.toBe(b!.rev);
});

test('a claim on a QR code ends with its lease, but at least 1 ms after the end of the previous claim', () => {
  expect(nextDueAt(new Date(0), now, 1_000)).toEqual(new Date(now.getTime() + 1_000));
  expect(nextDueAt(later, now, 0)).toEqual(new Date(later.getTime() + 1));
});

test('logos need a plan that includes them, and are limited in number', () => {
  expect(() => assertLogoIncluded({ name: 'PRO', qrLogoEnabled: true } as unknown as Plan)).not.toThrow();
  const exceeded = expect.objectContaining({ code: 'PLAN_LIMIT_EXCEEDED', field: 'qrLogoEnabled' });
  expect(() => assertLogoIncluded({ name: 'FREE', qrLogoEnabled: false } as unknown as Plan)).toThrow(exceeded);
  expect(tooManyLogos(5, 30)).toEqual(refused('logo'));
  expect(tooManyLogos(5, 30).message).toMatch(/5 logos.*30 days/);
});

test('a token is stored as its SHA-256', () => {
  expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('a cursor', () => {
  const query: ListQuery = { workspaceId: 'ws_1', terms: ['a'], tags: ['b'], status: 'active', linkId };
  const id = newId('qr');

  test('is bound to the workspace and to each filter', () => {
    const cursor = writeCursor(query, id);
    expect(readCursor({ ...query }, cursor)).toBe(id);
    const others: Partial<ListQuery>[] = [
      { workspaceId: 'ws_2' },
      { terms: [] },
      { tags: [] },
      { status: undefined },
      { linkId: undefined },
    ];
    for (const other of others) expect(() => readCursor({ ...query, ...other }, cursor)).toThrow(refused('cursor'));
  });

  test('is rejected unless it contains the id of a QR code', () => {
    const bare = { workspaceId: 'ws_1', terms: [], tags: [] };
    const cursor = (text: string) => writeAnyCursor(['ws_1', [], [], null, null], Buffer.from(text));
    expect(readCursor(bare, cursor(id))).toBe(id);
    expect(() => readCursor(bare, cursor(linkId))).toThrow(refused('cursor'));
  });
});
