import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startDomainFixture, type DomainFixture } from '../../testing/domains.js';
import { startService } from '../../testing/service.js';

let fixture: DomainFixture;
beforeAll(async () => void (fixture = await startDomainFixture()));
afterAll(() => fixture.stop());

const typesOf = async (workspaceId: string, count: number) =>
  (await fixture.service.events(workspaceId, count)).map(({ type }) => type);

describe('adding a domain', () => {
  test('creates a pending domain with the records that it needs, and emits an event', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.add(caller, 'Büro1.Customer.Example');
    const name = 'xn--bro1-0ra.customer.example';
    expect(domain).toMatchObject({
      domain: name,
      status: 'pending',
      linkCount: 0,
      dnsRecords: [
        { type: 'TXT', name: `_tautan.${name}`, purpose: 'ownership', found: [], ok: false },
        { type: 'CNAME', name, value: 'links.example.net', purpose: 'routing', found: [], ok: false },
      ],
    });
    expect(domain.id).toMatch(/^dom_/);
    expect(domain.dnsRecords[0]!.value).toMatch(/^tautan-verify=[0-9a-f]{32}$/);
    expect(await caller.domains('GetDomain', { id: domain.id })).toEqual(domain);
    const [event] = await fixture.service.events(caller.workspaceId, 1);
    expect(event).toMatchObject({ type: 'domain.created', target: { type: 'domain', id: domain.id, label: name } });
    expect(event!.data).toMatchObject({ id: domain.id, verifiedAt: null, lastCheckedAt: null, lastError: null });
  });

  test('gives each workspace its own token for the same name', async () => {
    const name = 'tokens.customer.example';
    const [one, other] = [await fixture.add(fixture.service.as(), name), await fixture.add(fixture.service.as(), name)];
    expect(one.dnsRecords[0]!.value).not.toBe(other.dnsRecords[0]!.value);
  });

  test('throws DOMAIN_TAKEN if the workspace already has it, or another workspace has verified it', async () => {
    const caller = fixture.service.as();
    const { domain } = await fixture.aVerifiedDomain(caller);
    const taken = { code: 'DOMAIN_TAKEN', field: 'domain' };
    await expect(fixture.add(caller, domain.toUpperCase())).rejects.toMatchObject(taken);
    await expect(fixture.add(fixture.service.as(), domain)).rejects.toMatchObject(taken);
  });

  test('rejects malformed names, addresses, public suffixes and hosts of this service with VALIDATION_ERROR', async () => {
    for (const name of ['', 'co.id', '192.0.2.7', 'links.example.net', 'go.example.com', 'a.example:80']) {
      await expect(fixture.add(fixture.service.as(), name)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'domain',
      });
    }
  });

  test('returns the same domain for a repeated operation', async () => {
    const { domains, workspaceId } = fixture.service.as();
    const request = { domain: 'repeated.customer.example', operationId: newUlid() };
    const first = await domains('AddDomain', request);
    expect(await domains('AddDomain', request)).toEqual(first);
    expect(await fixture.service.models.domains.countDocuments({ workspaceId })).toBe(1);
  });
});

describe('domains', () => {
  test('are listed newest first, only those of the workspace', async () => {
    const caller = fixture.service.as();
    const [one, two] = [await fixture.add(caller), await fixture.add(caller)];
    await fixture.add(fixture.service.as());
    expect((await caller.domains('ListDomains', {})).domains).toEqual([two, one]);
  });

  test('of another workspace are FORBIDDEN, and unknown ones NOT_FOUND', async () => {
    const { id } = await fixture.add(fixture.service.as());
    const { domains } = fixture.service.as();
    for (const method of ['GetDomain', 'VerifyDomain', 'DeleteDomain'] as const) {
      await expect(domains(method, { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(domains(method, { id: newId('dom') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(domains(method, { id: 'dom_' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('verifying a domain', () => {
  test('verifies it if both records are correct, emits one event, and enables its redirects', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.add(caller);
    fixture.setDnsRecords(domain);
    const verified = await caller.domains('VerifyDomain', { id: domain.id });
    expect(verified).toMatchObject({ status: 'verified', id: domain.id });
    expect(verified.dnsRecords.map(({ ok }) => ok)).toEqual([true, true]);
    expect(verified.dnsRecords[1]!.found).toEqual(['links.example.net']);
    expect(verified.lastError).toBeUndefined();
    expect(Date.parse(verified.verifiedAt!)).toBeGreaterThan(Date.now() - 10_000);
    expect(await fixture.entryOf(domain.domain)).toMatchObject({ workspaceId: caller.workspaceId, status: 'active' });
    await until(() => fixture.service.invalidated.includes(`${domain.domain}/`));
    await caller.domains('VerifyDomain', { id: domain.id });
    await fixture.add(caller);
    expect(await typesOf(caller.workspaceId, 3)).toEqual(['domain.created', 'domain.verified', 'domain.created']);
    const [, event] = await fixture.service.events(caller.workspaceId, 3);
    expect(event).toMatchObject({
      data: { id: domain.id, status: 'verified', verifiedAt: verified.verifiedAt },
      changes: { status: { before: 'pending', after: 'verified' } },
      actor: { type: 'api_key' },
    });
  });

  test('reports missing records, emits domain.failed only once, and accepts corrected records', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.add(caller);
    const failed = await caller.domains('VerifyDomain', { id: domain.id });
    expect(failed.status).toBe('failed');
    expect(failed.lastError).toMatch(
      /has no TXT record with the value tautan-verify=.* has no CNAME record that points to links\.example\.net/,
    );
    fixture.dns.set(domain.domain, { CNAME: ['elsewhere.example'] });
    const again = await caller.domains('VerifyDomain', { id: domain.id });
    expect(again).toMatchObject({
      status: 'failed',
      dnsRecords: [{ found: [] }, { found: ['elsewhere.example'], ok: false }],
    });
    fixture.setDnsRecords(domain);
    expect((await caller.domains('VerifyDomain', { id: domain.id })).status).toBe('verified');
    expect(await typesOf(caller.workspaceId, 3)).toEqual(['domain.created', 'domain.failed', 'domain.verified']);
  });

  test('accepts addresses at an apex', async () => {
    const caller = fixture.service.as();
    fixture.dns.set('links.example.net', { A: ['192.0.2.7'], AAAA: ['2001:DB8:0::7'] });
    const domain = await fixture.add(caller, 'customer-of-ours.example');
    const { dnsRecords } = await caller.domains('GetDomain', { id: domain.id });
    expect(dnsRecords.slice(1)).toMatchObject([
      { type: 'A', value: '192.0.2.7', found: [], ok: false },
      { type: 'AAAA', value: '2001:db8::7', found: [], ok: false },
    ]);
    fixture.dns.set(domain.dnsRecords[0]!.name, { TXT: [domain.dnsRecords[0]!.value] });
    fixture.dns.set(domain.domain, { A: ['192.0.2.7'], AAAA: ['2001:db8::7'] });
    const verified = await caller.domains('VerifyDomain', { id: domain.id });
    expect(verified.status).toBe('verified');
    expect(verified.dnsRecords.slice(1)).toMatchObject([
      { type: 'A', value: '192.0.2.7', found: ['192.0.2.7'], ok: true },
      { type: 'AAAA', value: '2001:db8::7', found: ['2001:db8::7'], ok: true },
    ]);
  });

  test('finds its records among many others', async () => {
    const caller = fixture.service.as();
    fixture.dns.set('links.example.net', { A: ['192.0.2.7'] });
    const domain = await fixture.add(caller, 'crowded-customer.example');
    const [ownership] = domain.dnsRecords;
    const others = Array.from({ length: 24 }, (_, i) => `other=${i}`);
    fixture.dns.set(ownership!.name, { TXT: [...others, ownership!.value] });
    fixture.dns.set(domain.domain, { A: ['192.0.2.7'] });
    const verified = await caller.domains('VerifyDomain', { id: domain.id });
    expect(verified).toMatchObject({ status: 'verified', dnsRecords: [{ ok: true }, { ok: true }] });
    expect(verified.dnsRecords[0]!.found).toEqual([ownership!.value, ...others.slice(0, 20)]);
    // The last of many addresses is wrong.
    fixture.dns.set(domain.domain, { A: [...Array.from({ length: 24 }, () => '192.0.2.7'), '198.51.100.1'] });
    const wrong = await caller.domains('VerifyDomain', { id: domain.id });
    expect(wrong).toMatchObject({
      lastError: expect.stringMatching(/must only contain/),
      dnsRecords: [{ ok: true }, { ok: false }],
    });
  });

  test('emits one event each time that the records of a verified domain become wrong', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.aVerifiedDomain(caller);
    const verify = () => caller.domains('VerifyDomain', { id: domain.id });
    fixture.dns.breakName(domain.domain);
    await verify();
    for (let round = 0; round < 2; round += 1) {
      fixture.dns.remove(domain.domain);
      for (let check = 0; check < 2; check += 1) expect((await verify()).status).toBe('verified');
      fixture.setDnsRecords(domain);
      await verify();
    }
    await fixture.add(caller);
    expect(await typesOf(caller.workspaceId, 5)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.failing',
      'domain.failing',
      'domain.created',
    ]);
    const [, , failing] = await fixture.service.events(caller.workspaceId, 5);
    const [before, after] = [/lookup failed/, /has no CNAME/].map((error) => expect.stringMatching(error));
    expect(failing!.changes).toEqual({ lastError: { before, after } });
  });

  test('keeps a domain verified when a check gets no response or finds wrong records for the first time', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.aVerifiedDomain(caller);
    fixture.dns.breakName(domain.domain);
    const unanswered = await caller.domains('VerifyDomain', { id: domain.id });
    expect(unanswered).toMatchObject({ status: 'verified', lastError: expect.stringMatching(/lookup failed/) });
    fixture.dns.remove(domain.domain);
    const wrong = await caller.domains('VerifyDomain', { id: domain.id });
    expect(wrong).toMatchObject({ status: 'verified', lastError: expect.stringMatching(/has no CNAME/) });
    expect(await fixture.entryOf(domain.domain)).not.toBeNull();
  });

  test('verifies it for the first workspace only, even concurrently', async () => {
    const callers = [fixture.service.as(), fixture.service.as()];
    const name = 'wanted.customer.example';
    const added = [await fixture.add(callers[0]!, name), await fixture.add(callers[1]!, name)];
    fixture.dns.set(`_tautan.${name}`, { TXT: added.map(({ dnsRecords }) => dnsRecords[0]!.value) });
    fixture.dns.set(name, { CNAME: ['links.example.net'] });
    const verify = (i: number) => callers[i]!.domains('VerifyDomain', { id: added[i]!.id });
    const outcomes = await Promise.allSettled([verify(0), verify(1)]);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes[1 - winner]).toMatchObject({
      status: 'rejected',
      reason: { code: 'DOMAIN_TAKEN', field: 'domain' },
    });
    expect((await fixture.entryOf(name))!.workspaceId).toBe(callers[winner]!.workspaceId);
    const lost = await callers[1 - winner]!.domains('GetDomain', { id: added[1 - winner]!.id });
    expect(lost.status).toBe('pending');
    await expect(verify(1 - winner)).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
  });
});

describe('domains under .localhost', () => {
  test('are rejected unless they are allowed', async () => {
    const refused = fixture.add(fixture.service.as(), 'toko.localhost');
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
  });

  test('are verified without DNS records if they are allowed', async () => {
    const service = await startService({ ALLOW_LOCAL_DOMAINS: 'true', BASE_URL: 'http://localhost:8080' });
    try {
      const caller = service.as();
      const { id } = await caller.domains('AddDomain', { domain: 'Toko.localhost' });
      const verified = await caller.domains('VerifyDomain', { id });
      expect(verified).toMatchObject({ domain: 'toko.localhost', status: 'verified' });
      expect(verified.dnsRecords.map(({ ok }) => ok)).toEqual([true, true, true]);
      const other = service.as();
      const error = await other.domains('AddDomain', { domain: 'toko.localhost' }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'DOMAIN_TAKEN' });
      for (const domain of ['localhost', 'printer.local']) {
        const refused = caller.domains('AddDomain', { domain });
        await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
      }
    } finally {
      await service.stop();
    }
  });
});
