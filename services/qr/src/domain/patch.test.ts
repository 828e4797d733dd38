import { describe, expect, test } from '@jest/globals';
import { readStyle } from '../image/style.js';
import { applyPatch, parsePatch, type Patch, type PatchInput } from './patch.js';
import type { QrCode, QrRoute } from './qr-code.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const later = new Date('2030-06-01T00:00:00.001Z');
const refused = (field: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', field, message: expect.stringContaining(message) });

describe('a change', () => {
  const parse = (input: Partial<PatchInput>) => parsePatch({ clear: [], ...input }, now);

  test('has only the fields that were given', () => {
    expect(parse({})).toStrictEqual({});
    const same = { url: 'https://a.example', tags: ['a'], maxScans: 3, logoRunRef: 'lgo_1', status: 'archived' };
    expect(parse({ ...same, title: ' A ', expiresAt: later.toISOString(), styleConfig: '{"size":64}' })).toEqual({
      ...same,
      title: 'A',
      expiresAt: later,
      styleConfig: { size: 64 },
    });
  });

  test('unsets fields', () => {
    const clear = ['title', 'tags', 'expiresAt', 'maxScans', 'styleConfig', 'logoRunRef'];
    expect(parse({ clear })).toEqual({
      title: null,
      tags: [],
      expiresAt: null,
      maxScans: null,
      styleConfig: null,
      logoRunRef: null,
    });
  });

  test.each<[string, string, Partial<PatchInput>]>([
    ['title', 'must not be empty', { title: '' }],
    ['expiresAt', 'must be in the future', { expiresAt: now.toISOString() }],
    ['maxScans', 'must be a whole number', { maxScans: 0 }],
    ['styleConfig', 'must be valid JSON', { styleConfig: '{' }],
    ['status', 'must be one of', { status: 'paused' }],
    ['url', 'cannot be unset', { clear: ['url'] }],
    ['toString', 'cannot be unset', { clear: ['toString'] }],
    ['title', 'cannot be both set and unset', { title: 'A', clear: ['title'] }],
  ])('is rejected, naming %s, which %s: %j', (field, message, input) => {
    expect(() => parse(input)).toThrow(refused(field, message));
  });
});

describe('a changed QR code', () => {
  const style = readStyle({ foreground: '#112233' }, false);
  const code = {
    url: 'https://a.example',
    linkId: null,
    title: 'A',
    styleConfig: style,
    logoRunRef: null,
    status: 'active',
    expiresAt: null,
    maxScans: 5,
  } as QrCode;
  const route = { scanCount: 3, remaining: 2 } as QrRoute;
  const apply = (patch: Patch, before: Partial<QrCode> = {}, routeBefore: Partial<QrRoute> = {}) =>
    applyPatch({ ...code, ...before }, { ...route, ...routeBefore }, patch, now);

  test('is returned as its changed fields, without tags', () => {
    expect(apply({ title: 'B', url: code.url, tags: ['a'], maxScans: 5 })).toEqual({ title: 'B' });
    expect(apply({ title: 'A', styleConfig: {}, status: 'active' })).toEqual({});
  });

  test('keeps the style fields that were not changed, and has the defaults once its style is unset', () => {
    expect(apply({ styleConfig: { size: 64 } })).toEqual({ styleConfig: { ...style, size: 64 } });
    expect(apply({ styleConfig: null })).toEqual({ styleConfig: readStyle({}, false) });
    expect(apply({ styleConfig: null }, { logoRunRef: 'lgo_1' })).toEqual({ styleConfig: readStyle({}, true) });
  });

  test('keeps a stored style that would be rejected now, unless the style changes', () => {
    const illegible = { ...style, foreground: '#fefefe' };
    expect(apply({ title: 'B' }, { styleConfig: illegible })).toEqual({ title: 'B' });
    expect(() => apply({ styleConfig: { size: 64 } }, { styleConfig: illegible })).toThrow('styleConfig');
  });

  test('has error correction level H with a logo', () => {
    const high = { ...style, errorCorrection: 'H' as const };
    expect(apply({ logoRunRef: 'lgo_1' })).toEqual({ logoRunRef: 'lgo_1', styleConfig: high });
    expect(apply({ logoRunRef: null }, { logoRunRef: 'lgo_1', styleConfig: high })).toEqual({ logoRunRef: null });
  });

  test('that follows a link cannot be given a URL of its own', () => {
    expect(() => apply({ url: 'https://b.example' }, { linkId: 'lnk_1' })).toThrow(refused('url', 'follows a link'));
    expect(apply({ title: 'B' }, { linkId: 'lnk_1' })).toEqual({ title: 'B' });
  });

  test('can be activated only if its link is active', () => {
    const linkIs = (status: string, deleted = false) => ({ followed: { url: 'https://b.example', status, deleted } });
    expect(apply({ status: 'active' }, { status: 'archived' }, linkIs('active'))).toEqual({ status: 'active' });
    const check = () => apply({ status: 'active' }, { status: 'archived' }, linkIs('expired'));
    expect(check).toThrow(refused('status', 'is expired'));
    const checkDeleted = () => apply({ status: 'active' }, { status: 'archived' }, linkIs('archived', true));
    expect(checkDeleted).toThrow(refused('status', 'was deleted'));
    expect(apply({ status: 'archived' }, {}, linkIs('expired'))).toEqual({ status: 'archived' });
  });

  test('can be activated only if no limit is reached', () => {
    const expired = { status: 'expired', expiresAt: now } as const;
    expect(() => apply({ status: 'active' }, expired)).toThrow(refused('expiresAt', 'has passed'));
    expect(apply({ status: 'active', expiresAt: later }, expired)).toEqual({ status: 'active', expiresAt: later });
    expect(apply({ title: 'B' }, expired)).toEqual({ title: 'B' });
    const used = { remaining: 0 };
    const again = () => apply({ status: 'active' }, { status: 'expired' }, used);
    expect(again).toThrow(refused('maxScans', 'is used up'));
    const raised = apply({ status: 'active', maxScans: 6 }, { status: 'expired' }, used);
    expect(raised).toEqual({ status: 'active', maxScans: 6 });
  });
});
