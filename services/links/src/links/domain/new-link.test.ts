import { describe, expect, test } from '@jest/globals';
import type { Link } from './link.js';
import { draftLink, newLink, routeOf, snapshotOf, type LinkInput } from './new-link.js';
import { linkView, shortUrlOf, tagView } from './view.js';

const now = new Date('2030-06-01T00:00:00.000Z');
const later = new Date('2030-06-01T00:00:00.001Z');
const rules = { ownHosts: new Set(['go.example']), allowPrivate: false };
const draft = (input: Partial<LinkInput> = {}) =>
  draftLink({ url: 'https://a.example', tags: [], ...input }, rules, now);
const plain = {
  url: 'https://a.example/',
  slug: undefined,
  domain: null,
  title: null,
  description: null,
  tags: [],
  expiresAt: null,
  maxClicks: null,
  status: 'active',
};

describe('a new link', () => {
  test('has the given fields, and defaults for all others', () => {
    expect(draft()).toMatchObject(plain);
    const given = {
      slug: 'Spring',
      domain: 'L.Example',
      title: ' A ',
      description: 'b\r\nc',
      tags: [' a'],
      maxClicks: 3,
    };
    expect(draft({ ...given, expiresAt: later.toISOString() })).toMatchObject({
      ...plain,
      ...given,
      domain: 'l.example',
      title: 'A',
      description: 'b\nc',
      tags: ['a'],
      expiresAt: later,
    });
    expect(Object.keys(draft(given)).sort()).toEqual(Object.keys(draft()).sort());
  });

  test('cannot be active if its `expiresAt` is not in the future', () => {
    const expiresAt = now.toISOString();
    expect(draft({ status: 'expired', expiresAt })).toMatchObject({ status: 'expired', expiresAt: now });
    for (const status of ['active', undefined]) {
      expect(() => draft({ status, expiresAt })).toThrow(expect.objectContaining({ field: 'expiresAt' }));
    }
  });

  test.each<[string, Partial<LinkInput>]>([
    ['url', { url: 'https://go.example/a' }],
    ['slug', { slug: 'api' }],
    ['domain', { domain: 'a b' }],
    ['title', { title: '' }],
    ['description', { description: '' }],
    ['tags.0', { tags: [''] }],
    ['expiresAt', { status: 'archived', expiresAt: 'x' }],
    ['maxClicks', { maxClicks: 0 }],
    ['status', { status: 'paused' }],
  ])('is rejected with an error that names %s: %j', (field, input) => {
    expect(() => draft(input)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field }));
  });
});

const metadata = {
  id: 'lnk_1',
  workspaceId: 'ws_1',
  slug: 'Spring',
  createdBy: { type: 'user', id: 'usr_1' } as Link['createdBy'],
  createdAt: now,
  countedIn: '2030-06',
};
const link = newLink(draft({ maxClicks: 3, domain: 'l.example', title: 'A' }), metadata);

test('a new link has no clicks, no QR codes and no tag ids', () => {
  const { id, ...assigned } = metadata;
  expect(newLink(draft(), metadata)).toMatchObject({
    _id: id,
    ...assigned,
    url: 'https://a.example/',
    domain: null,
    slugKey: 'spring',
    title: null,
    description: null,
    tags: [],
    status: 'active',
    expiresAt: null,
    maxClicks: null,
    clickCount: 0,
    lastClickAt: null,
    qrCodeCount: 0,
    updatedAt: now,
  });
});

test('the route of a link has its limit and the clicks that are left, by default all of them', () => {
  expect(routeOf(link)).toEqual({
    _id: 'l.example/spring',
    workspaceId: 'ws_1',
    linkId: 'lnk_1',
    qrId: null,
    via: 'link',
    url: 'https://a.example/',
    status: 'active',
    expiresAt: null,
    maxClicks: 3,
    remaining: 3,
    purgeAt: null,
  });
  expect(routeOf(link, 1)).toMatchObject({ maxClicks: 3, remaining: 1 });
});

test("the routes of a link's QR codes copy its URL, key, status and expiry date, and whether it has a click limit", () => {
  const follows = { key: 'l.example/spring', status: 'active', expiresAt: null, limited: true };
  expect(snapshotOf(link)).toEqual({ url: 'https://a.example/', follows });
  expect(snapshotOf({ ...link, maxClicks: null, expiresAt: later }, 'deleted').follows).toEqual({
    ...follows,
    status: 'deleted',
    expiresAt: later,
    limited: false,
  });
});

test.each([
  [null, 'https://go.example', 'https://go.example/A'],
  ['l.example', 'https://go.example', 'https://l.example/A'],
  ['l.example', 'https://go.example:8443', 'https://l.example/A'],
  ['l.localhost', 'http://localhost:8080', 'http://l.localhost:8080/A'],
  ['l.localhost', 'http://localhost', 'http://l.localhost/A'],
])('with a slug on the domain %j and the base URL %s, the short URL is %s', (domain, baseUrl, shortUrl) => {
  expect(shortUrlOf(domain, 'A', baseUrl)).toBe(shortUrl);
});

test('a link is represented with the names of its tags, sorted, and without internal fields', () => {
  const { _id, workspaceId: _workspace, slugKey: _key, countedIn: _month, ...own } = link;
  const names = new Map([
    ['tag_1', 'Summer'],
    ['tag_2', 'autumn'],
  ]);
  const times = { createdAt: now.toISOString(), updatedAt: now.toISOString() };
  const view = { ...own, id: _id, shortUrl: 'https://l.example/Spring', tags: ['autumn', 'Summer'], ...times };
  expect(linkView({ ...link, tags: ['tag_1', 'tag_3', 'tag_2'] }, names, 'https://go.example')).toEqual(view);
  expect(linkView({ ...link, expiresAt: later, lastClickAt: now }, names, 'https://go.example')).toEqual({
    ...view,
    tags: [],
    expiresAt: later.toISOString(),
    lastClickAt: now.toISOString(),
  });
});

test('a tag is represented without internal fields', () => {
  const counts = { name: 'Summer', linkCount: 1, qrCodeCount: 2 };
  const tag = { _id: 'tag_1', workspaceId: 'ws_1', nameKey: 'summer', ...counts, createdAt: now, updatedAt: later };
  expect(tagView(tag)).toEqual({
    id: 'tag_1',
    ...counts,
    createdAt: now.toISOString(),
    updatedAt: later.toISOString(),
  });
});
