import { describe, expect, test } from '@jest/globals';
import type { Link } from './link.js';
import { newLink } from './new-link.js';
import { aDraft } from '../../testing/links.js';
import { applyPatch, parsePatch, type PatchInput } from './patch.js';
import { destinationRules } from './url.js';

const now = new Date('2030-01-01T00:00:00Z');
const rules = destinationRules('https://go.example.com', [], false);
const parse = (input: Partial<PatchInput>) => parsePatch({ clear: [], ...input }, rules, now);

const aLink = (fields: Partial<Link> = {}): Link => ({
  ...newLink(aDraft(), {
    id: 'lnk_1',
    workspaceId: 'ws_1',
    slug: 's',
    createdBy: { type: 'user', id: 'usr_1' },
    createdAt: now,
    countedIn: '2026-01',
  }),
  ...fields,
});
const past = new Date(now.getTime() - 1);

describe('a patch', () => {
  test('contains each field in its stored form', () => {
    const fields = { url: 'https://example.com', slug: 'Sale', title: ' Sale ', description: 'a\r\nb', tags: [' x '] };
    expect(parse({ ...fields, expiresAt: '2031-01-01T07:00:00+07:00', maxClicks: 5, status: 'archived' })).toEqual({
      url: 'https://example.com/',
      slug: 'Sale',
      title: 'Sale',
      description: 'a\nb',
      tags: ['x'],
      expiresAt: new Date('2031-01-01T00:00:00Z'),
      maxClicks: 5,
      status: 'archived',
    });
  });

  test('changes `slugKey` together with the slug', () => {
    expect(applyPatch({ link: aLink(), remaining: null }, { slug: 'Sale' }, now).link.slugKey).toBe('sale');
  });

  test('unsets cleared fields', () => {
    const patch = parse({ clear: ['title', 'description', 'tags', 'expiresAt', 'maxClicks'] });
    expect(patch).toEqual({ title: null, description: null, tags: [], expiresAt: null, maxClicks: null });
  });

  test.each([
    [{ clear: ['url'] }, 'url'],
    [{ clear: ['constructor'] }, 'constructor'],
    [{ clear: ['__proto__'] }, '__proto__'],
    [{ clear: ['title'], title: 'x' }, 'title'],
    [{ status: 'deleted' }, 'status'],
    [{ expiresAt: '2029-12-31T23:59:59Z' }, 'expiresAt'],
    [{ slug: 'api' }, 'slug'],
    [{ title: '' }, 'title'],
  ])('%j is rejected', (input, field) => {
    expect(() => parse(input)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field }));
  });

  test('counts the clicks used under the previous limit against the new one', () => {
    const used = { link: aLink({ maxClicks: 10, clickCount: 99 }), remaining: 4 };
    expect(applyPatch(used, { maxClicks: 15 }, now).remaining).toBe(9);
    expect(applyPatch(used, { maxClicks: 6 }, now).remaining).toBe(0);
    expect(applyPatch(used, { maxClicks: 2 }, now).remaining).toBe(-4);
    expect(applyPatch(used, { maxClicks: null }, now).remaining).toBeNull();
    expect(applyPatch(used, { title: 'x' }, now).remaining).toBe(4);
  });

  test('does not give clicks back by lowering a limit below the number of used clicks and raising it again', () => {
    const used = { link: aLink({ maxClicks: 10, clickCount: 8 }), remaining: 2 };
    const lowered = applyPatch(used, { maxClicks: 5 }, now);
    expect(applyPatch(lowered, { maxClicks: 10, status: 'active' }, now).remaining).toBe(2);
    const refused = expect.objectContaining({ field: 'maxClicks' });
    expect(() => applyPatch(lowered, { maxClicks: 8, status: 'active' }, now)).toThrow(refused);
  });

  test('counts all earlier clicks of a link against its first limit', () => {
    expect(applyPatch({ link: aLink({ clickCount: 7 }), remaining: null }, { maxClicks: 10 }, now).remaining).toBe(3);
  });

  test('does not activate a link while a limit is reached, unless it lifts that limit', () => {
    const late = { link: aLink({ status: 'expired', expiresAt: past }), remaining: null };
    const used = { link: aLink({ status: 'expired', maxClicks: 5 }), remaining: 0 };
    const active = { status: 'active' } as const;
    expect(() => applyPatch(late, active, now)).toThrow(expect.objectContaining({ field: 'expiresAt' }));
    expect(() => applyPatch(used, active, now)).toThrow(expect.objectContaining({ field: 'maxClicks' }));
    expect(() => applyPatch(used, { ...active, maxClicks: 4 }, now)).toThrow(
      expect.objectContaining({ field: 'maxClicks' }),
    );
    expect(applyPatch(late, { ...active, expiresAt: null }, now).link.status).toBe('active');
    expect(applyPatch(used, { ...active, maxClicks: 6 }, now)).toMatchObject({
      link: { status: 'active' },
      remaining: 1,
    });
  });

  test('that only lifts a limit does not activate the link', () => {
    const late = { link: aLink({ status: 'expired', expiresAt: past }), remaining: null };
    expect(applyPatch(late, { expiresAt: null }, now).link.status).toBe('expired');
  });
});
