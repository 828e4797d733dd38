import { describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import type { LinkSnapshot, Route } from '../../redirects/domain/route.js';
import { checkQrRoute, qrRouteOf, type QrRouteInput, type QrCodeData, type DesiredQrRoute } from './qr-route.js';

const rules = { ownHosts: new Set<string>(), allowPrivate: false };
const qrCodeId = newId('qr');
const check = (input: Partial<QrRouteInput>) =>
  checkQrRoute({ qrCodeId, version: 1, status: 'active', ...input }, rules);

describe('a requested route of a QR code', () => {
  const plain = { id: qrCodeId, version: 1, status: 'active', expiresAt: null, maxScans: null, tags: undefined };

  test('leads to a URL or a link', () => {
    const destination = { url: 'https://a.example/', linkId: null };
    expect(check({ url: 'https://a.example' })).toEqual({ ...plain, destination });
    expect(check({ linkId: 'lnk_1' })).toEqual({ ...plain, destination: { url: null, linkId: 'lnk_1' } });
  });

  test('may have tags and limits, even limits that have been reached', () => {
    const limits = { expiresAt: '2020-01-01T00:00:00.000Z', maxScans: 3, status: 'expired' };
    expect(check({ linkId: 'lnk_1', version: 2, tags: [' a'], ...limits })).toMatchObject({
      version: 2,
      expiresAt: new Date(limits.expiresAt),
      maxScans: 3,
      status: 'expired',
      tags: ['a'],
    });
  });

  test.each<[string, Partial<QrRouteInput>]>([
    ['url', {}],
    ['url', { url: 'https://a.example', linkId: 'lnk_1' }],
    ['url', { url: 'https://localhost' }],
    ['version', { linkId: 'lnk_1', version: 0 }],
    ['version', { linkId: 'lnk_1', version: 1.5 }],
    ['version', { linkId: 'lnk_1', version: 2 ** 53 }],
    ['qrCodeId', { linkId: 'lnk_1', qrCodeId: 'lnk_01jzxv8q4e5r6t7y8w9a0bcdfg' }],
    ['status', { linkId: 'lnk_1', status: 'deleted' }],
    ['expiresAt', { linkId: 'lnk_1', expiresAt: 'x' }],
    ['maxScans', { linkId: 'lnk_1', maxScans: 0 }],
    ['tags.0', { linkId: 'lnk_1', tags: [''] }],
  ])('is rejected with an error that names %s: %j', (field, input) => {
    expect(() => check(input)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field }));
  });
});

test('a QR code needs a URL or a link', () => {
  expect(() => check({})).toThrow('Set either url or linkId.');
});

describe('the routing table entry of a QR code', () => {
  const code = { _id: qrCodeId, workspaceId: 'ws_1', linkId: 'lnk_1', slug: 'Abc', scanCount: 4 } as QrCodeData;
  const wanted = { status: 'active', expiresAt: null, maxScans: 9 } as DesiredQrRoute;
  const follows = { key: '/spring' } as LinkSnapshot;
  const entry = (old: Partial<Route> | null) =>
    qrRouteOf(code, wanted, { url: 'https://a.example/', follows }, old as Route | null);

  test('is on the default domain, and has all scans left if it is new', () => {
    expect(entry(null)).toEqual({
      _id: '/abc',
      workspaceId: 'ws_1',
      linkId: 'lnk_1',
      qrId: qrCodeId,
      via: 'qr',
      url: 'https://a.example/',
      follows,
      status: 'active',
      expiresAt: null,
      maxClicks: 9,
      remaining: 9,
      purgeAt: null,
    });
  });

  test('subtracts from the new limit the scans used under the earlier limit, or all scans if there was no earlier limit', () => {
    expect(entry({ maxClicks: 5, remaining: 3 }).remaining).toBe(7);
    expect(entry({ maxClicks: null, remaining: null }).remaining).toBe(5);
    expect(entry({ maxClicks: 2, remaining: -1 }).remaining).toBe(6);
  });
});
