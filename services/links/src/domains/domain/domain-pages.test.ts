import { describe, expect, test } from '@jest/globals';
import type { CustomDomain } from './custom-domain.js';
import { noPages, parseDomainChange, type DomainChange } from './domain-pages.js';
import { domainRules } from './domain-rules.js';
import { domainView } from './domain-view.js';

describe('a change to the pages of a domain', () => {
  const rules = { ownHosts: new Set(['go.example']), allowPrivate: false };
  const parse = (change: Partial<DomainChange>) => parseDomainChange({ clear: [], ...change }, rules);

  test('contains the given fields, normalized, and null for the fields to clear', () => {
    expect(parse({})).toEqual({});
    const given = { brandName: ' Toko ', brandLogoUrl: 'https://A.example/a.png', brandColor: '#0F766E' };
    const urls = { rootUrl: 'https://a.example', notFoundUrl: 'https://b.example', clear: ['expiredUrl'] };
    expect(parse({ ...given, ...urls })).toEqual({
      brandName: 'Toko',
      brandLogoUrl: 'https://a.example/a.png',
      brandColor: '#0f766e',
      rootUrl: 'https://a.example/',
      notFoundUrl: 'https://b.example/',
      expiredUrl: null,
    });
  });

  test.each<[string, string, Partial<DomainChange>]>([
    ['brandName', 'must not be empty', { brandName: '' }],
    ['brandLogoUrl', 'must be an https URL', { brandLogoUrl: 'http://a.example/a.png' }],
    ['brandColor', 'must be a color', { brandColor: 'teal' }],
    ['rootUrl', 'must not point to this service', { rootUrl: 'https://go.example/' }],
    ['expiredUrl', 'must be a valid http(s) URL', { expiredUrl: 'x' }],
    ['name', 'cannot be unset', { clear: ['name'] }],
    ['toString', 'cannot be unset', { clear: ['toString'] }],
    ['brandName', 'cannot be both set and unset', { brandName: 'A', clear: ['brandName'] }],
  ])('is rejected, naming %s, which %s: %j', (field, problem, change) => {
    const message = expect.stringContaining(problem);
    expect(() => parse(change)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field, message }));
  });
});

describe('the rules of domains', () => {
  const settings = { ownHosts: [], target: undefined, addresses: [], checkEveryMs: 1, allowLocal: false };

  test('have the host of the base URL as the target, unless another is set', () => {
    const rules = domainRules({ ...settings, baseUrl: 'https://go.example:8443' });
    expect(rules).toEqual({
      target: { host: 'go.example', addresses: [] },
      own: new Set(['go.example']),
      checkEveryMs: 1,
      allowLocal: false,
    });
    expect(domainRules({ ...settings, baseUrl: 'http://[::1]:8080' }).target.host).toBe('::1');
    const given = { target: 'edge.example', ownHosts: ['APP.example:81'], addresses: ['2001:DB8::0:1', '192.0.2.1'] };
    expect(domainRules({ ...settings, ...given, baseUrl: 'https://go.example' })).toMatchObject({
      target: { host: 'edge.example', addresses: ['2001:db8::1', '192.0.2.1'] },
      own: new Set(['go.example', 'edge.example', 'app.example']),
    });
  });
});

test('a domain is represented with its DNS records and pages', () => {
  const at = new Date('2030-01-01T00:00:00.000Z');
  const domain: CustomDomain = {
    ...{ _id: 'dom_1', workspaceId: 'ws_1', name: 'l.example', token: 't', status: 'pending', lastLookup: null },
    ...{ lastCheckedAt: null, lastError: null, verifiedAt: null, failingSince: null, nextCheckAt: null },
    ...{ linkCount: 2, createdAt: at },
  };
  const target = { host: 'go.example', addresses: ['192.0.2.1'] };
  const { dnsRecords, ...view } = domainView(domain, target);
  const expected = { id: 'dom_1', domain: 'l.example', status: 'pending', lastError: null, linkCount: 2 };
  const times = { verifiedAt: null, lastCheckedAt: null, createdAt: '2030-01-01T00:00:00.000Z' };
  expect(view).toEqual({ ...expected, ...times, ...noPages });
  expect(dnsRecords.length).toBeGreaterThan(1);
  const pages = { ...noPages, brandName: 'Toko' };
  const checked = { ...domain, pages, verifiedAt: at, lastCheckedAt: new Date(at.getTime() + 1) };
  expect(domainView(checked, target)).toMatchObject({
    brandName: 'Toko',
    rootUrl: null,
    verifiedAt: '2030-01-01T00:00:00.000Z',
    lastCheckedAt: '2030-01-01T00:00:00.001Z',
  });
});
