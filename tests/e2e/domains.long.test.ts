import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allowedMs, eventually, startDnsServer, type DnsServer } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type ApiResponse, type Client } from '../support/client.js';
import { HOUR, createTestClock, type Clock } from '../support/clock.js';
import { pointDns, type ApiDomain } from '../support/domains.js';
import { accepted, aPerson, aWorkspace, demoPerson, joins, type Person } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';
import { recordEvents, type EventRecorder } from '../support/event-recorder.js';
import { visit } from '../support/visitor.js';

// Custom domains, with the test's own name server and clock.
let dns: DnsServer;
let clock: Clock;
let stack: Stack;
let api: Client;
let recorder: EventRecorder;

const DAY = 24 * HOUR;
const APEX_ADDRESS = '192.0.2.7';

beforeAll(async () => {
  dns = await startDnsServer();
  clock = await createTestClock();
  // Short intervals and timeouts, so that work is done soon after the clock is advanced.
  const quick = { EXPIRY_SWEEP_MS: '200', ATTEMPT_TIMEOUT_MS: '1500' };
  const settings = { DNS_SERVERS: dns.address, DOMAIN_ADDRESSES: APEX_ADDRESS, ...quick };
  stack = await startStack({ env: { ...clock.env, ...settings } });
  api = apiClient(stack);
  recorder = await recordEvents(api);
});
afterAll(async () => {
  await recorder?.stop();
  await stack?.stop();
  await clock?.remove();
  await dns?.stop();
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
let names = 0;
const aName = () => `go${(names += 1)}.toko.example`;
const post = (domain: string, by = api) => by.post<ApiDomain>('/domains', { domain });
const add = async (by = api, domain = aName()) => accepted(await post(domain, by));
const verify = ({ id }: ApiDomain, by = api) => by.post<ApiDomain>(`/domains/${id}/verify`, undefined);
const current = async ({ id }: ApiDomain) => accepted(await api.get<ApiDomain>(`/domains/${id}`));
const remove = ({ id }: ApiDomain, by = api) => by.delete(`/domains/${id}`);

const point = (domain: ApiDomain) => pointDns(dns, domain);

async function aVerifiedDomain(by = api): Promise<ApiDomain> {
  const domain = await add(by);
  point(domain);
  const verified = accepted(await verify(domain, by));
  expect(verified.status).toBe('verified');
  return verified;
}

const status = async (host: string, slug: string) =>
  (await visit(stack.baseUrl, `/${slug}`, { headers: { host } })).status;
const eventuallyReturns = (host: string, slug: string, code: number) =>
  eventually(async () => expect(await status(host, slug)).toBe(code), 1_000);

describe('adding a domain', () => {
  test('returns 201 with the pending domain and the DNS records that it needs', async () => {
    const answer = await post('Go.Bücher.Example');
    expect(answer.status).toBe(201);
    const name = 'go.xn--bcher-kva.example';
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^dom_[0-9a-z]{26}$/),
      domain: name,
      status: 'pending',
      dnsRecords: [
        {
          type: 'TXT',
          name: `_tautan.${name}`,
          value: expect.stringMatching(/^tautan-verify=\S{20,}$/),
          purpose: 'ownership',
          found: [],
          ok: false,
        },
        { type: 'CNAME', name, value: 'localhost', purpose: 'routing', found: [], ok: false },
      ],
      verifiedAt: null,
      lastCheckedAt: null,
      lastError: null,
      linkCount: 0,
      createdAt: expect.stringMatching(/Z$/),
      brandName: null,
      brandLogoUrl: null,
      brandColor: null,
      rootUrl: null,
      notFoundUrl: null,
      expiredUrl: null,
    });
  });

  test('requires an A record for an apex domain', async () => {
    const { domain, dnsRecords } = await add(api, 'warung.example');
    expect(dnsRecords[1]).toEqual({
      type: 'A',
      name: domain,
      value: APEX_ADDRESS,
      purpose: 'routing',
      found: [],
      ok: false,
    });
  });

  test.each([
    '',
    'co.id',
    'github.io',
    'https://a.example',
    'a.example/x',
    'a.example:80',
    '192.0.2.1',
    'a_b.example',
    'localhost',
    `${'a.'.repeat(130)}example`,
    null,
    5,
  ])('rejects %p with VALIDATION_ERROR', async (domain) =>
    expect(errorOf(await api.post('/domains', { domain }))).toEqual([400, 'VALIDATION_ERROR', 'domain']),
  );

  test('is idempotent with an Idempotency-Key', async () => {
    const body = { domain: aName() };
    const send = () => api.post<ApiDomain>('/domains', body, { 'idempotency-key': 'domain-1' });
    const [first, second] = [await send(), await send()];
    expect(second.data).toEqual(first.data);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('puts it first in the list of domains', async () => {
    const domain = await add();
    const { data, meta } = await api.get<ApiDomain[]>('/domains');
    expect(data[0]).toEqual(domain);
    expect(meta.page).toMatchObject({ hasMore: false });
    expect(await current(domain)).toEqual(domain);
  });
});

test('reading, verifying or removing an unknown domain returns NOT_FOUND', async () => {
  for (const path of ['/domains/dom_01jd3x8q4v5w6y7z8a9b0c1d2e', '/domains/x']) {
    expect((await api.get(path)).error?.code).toBe('NOT_FOUND');
    expect((await api.post(`${path}/verify`, undefined)).error?.code).toBe('NOT_FOUND');
    expect((await api.delete(path)).error?.code).toBe('NOT_FOUND');
  }
});

describe('verifying a domain', () => {
  test('returns the records that were found and those that are missing', async () => {
    const domain = await add();
    dns.set(domain.domain, { CNAME: ['elsewhere.example'] });
    const failed = accepted(await verify(domain));
    expect(failed).toMatchObject({ status: 'failed', verifiedAt: null, lastError: expect.stringMatching(/TXT/) });
    expect(failed.dnsRecords).toMatchObject([
      { purpose: 'ownership', found: [], ok: false },
      { purpose: 'routing', found: ['elsewhere.example'], ok: false },
    ]);
    point(domain);
    const { status: code, data: verified } = await verify(domain);
    expect(code).toBe(200);
    expect(verified).toMatchObject({ status: 'verified', lastError: null, verifiedAt: expect.stringMatching(/Z$/) });
    expect(verified.dnsRecords.every(({ ok, found, value }) => ok && found.includes(value))).toBe(true);
  });

  test('accepts an A record for an apex domain', async () => {
    const domain = await add(api, 'pasar.example');
    point(domain);
    expect(accepted(await verify(domain)).status).toBe('verified');
  });

  test('fails after the DNS timeout of 5 s if the name server is silent, but leaves a verified domain verified', async () => {
    const [domain, verified] = [await add(), await aVerifiedDomain()];
    for (const each of [domain, verified]) {
      dns.silence(each.domain);
      dns.silence(each.dnsRecords[0]!.name);
    }
    const startedAt = Date.now();
    const [failed, kept] = await Promise.all([verify(domain), verify(verified)]);
    expect(Date.now() - startedAt).toBeLessThan(allowedMs(6_500));
    const unanswered = ({ domain: name }: ApiDomain) => `The DNS lookup failed for ${name}.`;
    expect(accepted(failed)).toMatchObject({ status: 'failed', lastError: unanswered(domain) });
    expect(accepted(kept)).toMatchObject({ status: 'verified', lastError: unanswered(verified) });
    dns.remove(verified.domain);
    expect(accepted(await verify(verified))).toMatchObject({
      status: 'verified',
      lastError: expect.stringMatching(/CNAME/),
    });
  });
});

describe('links on a domain', () => {
  test('redirect on this domain only', async () => {
    const { domain } = await aVerifiedDomain();
    const link = await aLink(api, { domain, slug: 'Promo-Kita' });
    const { port } = new URL(stack.baseUrl);
    expect(link).toMatchObject({ domain, shortUrl: `http://${domain}:${port}/Promo-Kita` });
    expect(await status(domain, 'promo-kita')).toBe(302);
    expect(await status(`${domain.toUpperCase()}:8080`, 'Promo-Kita')).toBe(302);
    expect(await status('localhost', 'promo-kita')).toBe(404);
    expect(await status(aName(), 'promo-kita')).toBe(404);
    expect(await status(domain, '')).toBe(404);
    expect((await api.get<ApiLink>(`/links/PROMO-KITA?domain=${domain}`)).data.id).toBe(link.id);
    expect((await api.get('/links/promo-kita')).status).toBe(404);
  });

  test('can have a slug that is taken on another domain', async () => {
    const { domain } = await aVerifiedDomain();
    await aLink(api, { domain, slug: 'sama' });
    await aLink(api, { slug: 'sama' });
    expect(errorOf(await api.post('/links', { url: 'https://example.com', domain, slug: 'SAMA' }))).toEqual([
      409,
      'SLUG_TAKEN',
      'slug',
    ]);
  });

  test('require a verified domain of the workspace', async () => {
    const pending = await add();
    for (const domain of [pending.domain, 'nobody.example', 'x']) {
      expect(errorOf(await api.post('/links', { url: 'https://example.com', domain }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'domain',
      ]);
    }
    const rows = { dryRun: true, links: [{ url: 'https://example.com', domain: pending.domain }] };
    const { data } = await api.post<{ results: { error: { field: string } }[] }>('/links/import', rows);
    expect(data.results[0]!.error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
  });
});

describe('updating a domain', () => {
  const patch = (domain: ApiDomain, body: object, by = api) => by.patch<ApiDomain>(`/domains/${domain.id}`, body);
  const at = (host: string, path: string, headers = {}) =>
    visit(stack.baseUrl, path, { headers: { host, ...headers } });

  test('redirects the root, unknown slugs and inactive links to the new URLs within a second, until these URLs are null', async () => {
    const domain = await aVerifiedDomain();
    await aLink(api, { domain: domain.domain, slug: 'akhir' });
    accepted(await api.patch(`/links/akhir?domain=${domain.domain}`, { status: 'archived' }));
    await eventuallyReturns(domain.domain, 'akhir', 410);
    const urls = {
      rootUrl: 'https://toko.example/',
      notFoundUrl: 'https://toko.example/404',
      expiredUrl: 'https://toko.example/410',
    };
    const changed = accepted(await patch(domain, urls));
    expect(changed).toEqual({ ...domain, linkCount: 1, ...urls });
    expect(await current(domain)).toEqual(changed);
    await eventuallyReturns(domain.domain, '', 302);
    for (const [path, url] of [
      ['/', urls.rootUrl],
      ['/tiada', urls.notFoundUrl],
      ['/akhir', urls.expiredUrl],
    ] as const)
      expect((await at(domain.domain, path)).headers['location']).toBe(url);
    accepted(await patch(domain, { rootUrl: null, notFoundUrl: null, expiredUrl: null }));
    await eventuallyReturns(domain.domain, 'akhir', 410);
    expect(await status(domain.domain, '')).toBe(404);
  });

  test('brands the pages of the domain, emits an event and is audited', async () => {
    const domain = await aVerifiedDomain();
    const brand = { brandName: 'Toko Sari', brandLogoUrl: 'https://cdn.example.com/a.svg', brandColor: '#b91c1c' };
    const changed = accepted(await patch(domain, brand));
    await eventually(async () => {
      const { body } = await at(domain.domain, '/tiada', { accept: 'text/html' });
      expect(body).toContain('Short links by Toko Sari');
    }, 1_000);
    const { delivery, entry } = await recorder.emittedOnce('domain.updated', domain.id);
    expect(delivery.event.data).toEqual(changed);
    expect(entry.changes).toEqual(
      Object.fromEntries(Object.entries(brand).map(([field, after]) => [field, { before: null, after }])),
    );
  });

  test('rejects an invalid field and names it', async () => {
    const domain = await add();
    const wrong = {
      brandColor: 'teal',
      rootUrl: stack.baseUrl,
      expiredUrl: 'https://user:x@toko.example',
      domain: 'a.example',
    };
    for (const [field, value] of Object.entries(wrong))
      expect(errorOf(await patch(domain, { [field]: value }))).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(await current(domain)).toEqual(domain);
  });
});

describe('removing a domain', () => {
  test('is rejected with DOMAIN_IN_USE while the domain has links, and succeeds after the links are deleted', async () => {
    const domain = await aVerifiedDomain();
    const link = await aLink(api, { domain: domain.domain, slug: 'akhir' });
    expect(await status(domain.domain, 'akhir')).toBe(302);
    expect(errorOf(await remove(domain))).toEqual([409, 'DOMAIN_IN_USE', undefined]);
    expect((await current(domain)).linkCount).toBe(1);
    accepted(await api.delete(`/links/${link.id}`));
    expect(accepted(await remove(domain))).toEqual({ id: domain.id, deleted: true });
    await eventuallyReturns(domain.domain, 'akhir', 404);
    expect((await api.get(`/domains/${domain.id}`)).status).toBe(404);
  });
});

describe('domains', () => {
  async function aShop(): Promise<{ person: Person; client: Client; id: string }> {
    const person = await aPerson(stack);
    const { id } = await aWorkspace(person);
    return { person, client: person.in(id), id };
  }

  test('belong to the first workspace that verifies them, even if several workspaces do so concurrently', async () => {
    const shops = [await aShop(), await aShop()];
    const name = aName();
    const added = await Promise.all(shops.map(({ client }) => add(client, name)));
    dns.set(`_tautan.${name}`, { TXT: added.map(({ dnsRecords }) => dnsRecords[0]!.value) });
    dns.set(name, { CNAME: ['localhost'] });
    const answers = await Promise.all(added.map((domain, i) => verify(domain, shops[i]!.client)));
    const winner = answers.findIndex(({ status: code }) => code === 200);
    expect(answers[winner]!.data.status).toBe('verified');
    expect(errorOf(answers[1 - winner]!)).toEqual([409, 'DOMAIN_TAKEN', 'domain']);
    expect(errorOf(await post(name, shops[winner]!.client))).toEqual([409, 'DOMAIN_TAKEN', 'domain']);
    expect(errorOf(await post(name))).toEqual([409, 'DOMAIN_TAKEN', 'domain']);
    const loser = shops[1 - winner]!.client;
    expect(errorOf(await loser.post('/links', { url: 'https://example.com', domain: name }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'domain',
    ]);
    expect((await loser.get(`/domains/${added[winner]!.id}`)).error?.code).toBe('FORBIDDEN');
  });

  test('are read-only for members and viewers', async () => {
    const owner = await demoPerson(stack);
    const { workspaceId } = await stack.quickstart();
    const domain = await add();
    for (const role of ['viewer', 'member']) {
      const person = await aPerson(stack);
      await joins(person, role, { id: workspaceId, by: owner });
      const asMember = person.in(workspaceId);
      expect((await asMember.get(`/domains/${domain.id}`)).status).toBe(200);
      expect((await asMember.get('/domains')).status).toBe(200);
      const update = await asMember.patch(`/domains/${domain.id}`, { brandName: 'A' });
      for (const answer of [
        update,
        await post(aName(), asMember),
        await verify(domain, asMember),
        await remove(domain, asMember),
      ]) {
        expect(errorOf(answer).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
      }
    }
  });
});

test('every process of the link service allows certificates for verified domains only', async () => {
  const [verified, pending] = [await aVerifiedDomain(), await add()];
  const { services } = await stack.quickstart();
  const admins = services.filter(({ name }) => name === 'links' || name === 'redirect').map(({ admin }) => admin);
  expect(admins).toHaveLength(2 * Number(process.env['REPLICAS'] ?? 1));
  const hosts = [verified.domain, pending.domain, 'nobody.example', 'localhost', ''];
  for (const admin of admins) {
    const answers = hosts.map((domain) => fetch(new URL(`/internal/tls/ask?domain=${domain}`, admin)));
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200, 404, 404, 404, 404]);
  }
});

test('a verified domain is rechecked daily; after seven days of wrong records it fails and stops serving, until it is verified again', async () => {
  const domain = await aVerifiedDomain();
  await aLink(api, { domain: domain.domain, slug: 'tetap' });
  expect(await status(domain.domain, 'tetap')).toBe(302);
  dns.remove(domain.domain);
  const checkedAfter = async (after: string | null) => {
    const now = await current(domain);
    expect(now.lastCheckedAt).not.toBe(after);
    return now;
  };
  await clock.advance(DAY);
  const wrong = await eventually(() => checkedAfter(domain.lastCheckedAt), 10_000);
  expect(wrong).toMatchObject({ status: 'verified', lastError: expect.stringMatching(/CNAME/) });
  expect(await status(domain.domain, 'tetap')).toBe(302);
  const warnings = () => recorder.receiver.of('domain.failing').filter(({ event }) => event.data['id'] === domain.id);
  await eventually(() => expect(warnings().map(({ event }) => event.data)).toEqual([wrong]));
  await clock.advance(7 * DAY);
  const failed = await eventually(() => checkedAfter(wrong.lastCheckedAt), 10_000);
  expect(failed).toMatchObject({ status: 'failed', linkCount: 1 });
  await eventuallyReturns(domain.domain, 'tetap', 404);
  // `emittedOnce` would reject the signature of this event, because its timestamp is that of the advanced clock.
  const failures = () => recorder.receiver.of('domain.failed').filter(({ event }) => event.data['id'] === domain.id);
  await eventually(() => expect(failures().map(({ event }) => event.data)).toEqual([failed]));
  await eventually(async () =>
    expect(await recorder.audited('domain.failed', domain.id)).toMatchObject([{ actor: { type: 'system' } }]),
  );
  point(domain);
  expect(accepted(await verify(domain)).status).toBe('verified');
  await eventuallyReturns(domain.domain, 'tetap', 302);
});
