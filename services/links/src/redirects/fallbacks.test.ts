import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { noPages, type DomainPages } from '../domains/domain/domain-pages.js';
import { domainKey } from './domain/route.js';
import { startRedirectDomains, type RedirectDomains } from '../testing/redirect-domains.js';
import { visit } from '../testing/redirects.js';

const brand = { BRAND_NAME: 'Kota', BRAND_COLOR: '#1d4ed8' };
const urls = {
  rootUrl: 'https://toko.example/?from=root',
  notFoundUrl: 'https://toko.example/not-found',
  expiredUrl: 'https://toko.example/ended',
};
let fixture: RedirectDomains;
beforeAll(async () => {
  fixture = await startRedirectDomains(brand);
});
afterAll(() => fixture.stop());

/** Creates a verified domain with an active link `live` and an archived link `ended`. */
async function aDomain(pages: Partial<DomainPages> = {}): Promise<string> {
  const host = await fixture.aDomain();
  await fixture.aRouteOn(host, 'live');
  await fixture.aRouteOn(host, 'ended', { status: 'archived' });
  await setPages(host, pages);
  return host;
}

async function setPages(host: string, pages: Partial<DomainPages>): Promise<void> {
  await fixture.models.routes.updateOne({ _id: domainKey(host) }, { $set: { pages: { ...noPages, ...pages } } });
  fixture.invalidate(host);
}

const browser = { accept: 'text/html' };
const go = (path: string, headers = {}) => visit(fixture.ports[0]!, path, headers);
const locationsOrStatuses = async (host: string, headers = {}) => {
  const paths = ['/', '/nothing', '/ended', '/deep/path', '/live'];
  const visits = await Promise.all(paths.map((path) => go(path, { host, ...headers })));
  return visits.map(({ status, headers: { location } }) => (status === 302 ? location : status));
};

describe('a custom domain', () => {
  test('redirects its root, unknown paths and archived links as configured, for any visitor', async () => {
    const host = await aDomain(urls);
    const { rootUrl, notFoundUrl, expiredUrl } = urls;
    const expected = [rootUrl, notFoundUrl, expiredUrl, notFoundUrl, 'https://example.com/page'];
    for (const headers of [{}, browser, { accept: 'application/json' }, { method: 'HEAD' }])
      expect(await locationsOrStatuses(host, headers)).toEqual(expected);
  });

  test('redirects with the same headers as a link, and passes on the query string', async () => {
    const host = await aDomain(urls);
    const [link, root] = [await go('/live', { host }), await go('/?utm=a&from=b', { host })];
    expect(root.headers['location']).toBe('https://toko.example/?from=b&utm=a');
    const rest = ({ headers: { location: _, date: __, ...others } }: typeof link) => others;
    expect(rest(root)).toEqual(rest(link));
  });

  test('responds with a page for each setting that is unset', async () => {
    expect(await locationsOrStatuses(await aDomain())).toEqual([404, 404, 410, 404, 'https://example.com/page']);
    const onlyUnknown = await aDomain({ notFoundUrl: urls.notFoundUrl });
    expect(await locationsOrStatuses(onlyUnknown)).toEqual([
      404,
      urls.notFoundUrl,
      410,
      urls.notFoundUrl,
      'https://example.com/page',
    ]);
  });

  test('applies a change within a second on every replica', async () => {
    const host = await aDomain();
    await fixture.untilStatus(host, '/', 404);
    await setPages(host, urls);
    await fixture.untilStatus(host, '/', 302);
    await setPages(host, {});
    await fixture.untilStatus(host, '/', 404);
  });

  test('stops redirecting when it is deleted', async () => {
    const host = await aDomain(urls);
    await fixture.untilStatus(host, '/', 302);
    await fixture.removeDomain(host);
    fixture.invalidate(host);
    await fixture.untilStatus(host, '/', 404);
    await fixture.untilStatus(host, '/nothing', 404);
  });

  test('shows its brand on its pages', async () => {
    const host = await aDomain({
      brandName: 'Toko <Sari>',
      brandLogoUrl: 'https://cdn.example.com/logo.svg',
      brandColor: '#facc15',
    });
    for (const path of ['/', '/nothing', '/ended']) {
      const { body, headers } = await go(path, { host, ...browser });
      expect(body).toContain('Short links by Toko &lt;Sari&gt;');
      expect(body).toContain('<img src="https://cdn.example.com/logo.svg" alt="Toko &lt;Sari&gt;">');
      expect(body).toContain('--brand:#facc15;--on-brand:#000000');
      expect(headers['content-security-policy']).toContain('img-src data: https://cdn.example.com;');
    }
  });

  test('without a brand shows the brand of the installation, like hosts that are not verified domains', async () => {
    for (const host of [await aDomain({ rootUrl: urls.rootUrl }), 'unknown.example'])
      expect((await go('/nothing', { host, ...browser })).body).toContain('Short links by Kota');
  });

  test('that is not verified responds with 429 once the client’s budget for unknown slugs is used up', async () => {
    const { ports } = await fixture.roles('redirect', { REDIRECT_BUDGET_UNKNOWN: '2' });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await visit(ports['http']!, '/', { host: `u${i}.example` })).status);
    expect(statuses).toEqual([404, 404, 429]);
  });
});

test('the default domain redirects as configured', async () => {
  const settings = { ROOT_URL: urls.rootUrl, NOT_FOUND_URL: urls.notFoundUrl, EXPIRED_URL: urls.expiredUrl };
  const { ports } = await fixture.roles('redirect', settings);
  const ended = await fixture.aRoute({ status: 'archived' });
  const at = async (path: string, host = 'go.example.com') => {
    const { status, headers } = await visit(ports['http']!, path, { host });
    return [status, headers['location']];
  };
  expect(await at('/')).toEqual([302, urls.rootUrl]);
  expect(await at('/nothing')).toEqual([302, urls.notFoundUrl]);
  expect(await at(ended._id)).toEqual([302, urls.expiredUrl]);
  expect(await at('/', 'unknown.example')).toEqual([404, undefined]);
});

test('the default domain shows the brand of the installation', async () => {
  const { status, body } = await go('/', { host: 'go.example.com', ...browser });
  expect([status, body]).toEqual([200, expect.stringContaining('--brand:#1d4ed8')]);
  expect(body).toContain('<title>Short links live here · Kota</title>');
});
