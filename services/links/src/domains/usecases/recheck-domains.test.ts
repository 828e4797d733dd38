import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Log } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import { createDnsLookup, type DnsLookup } from '../dns/dns-lookup.js';
import { openDeps, type OpenDeps } from '../../testing/deps.js';
import { startDomainFixture, type DomainFixture } from '../../testing/domains.js';
import type { Caller } from '../../testing/service.js';
import { recheckDomains } from './recheck-domains.js';
import { verifyDomain } from './verify-domain.js';

const DAY = 86_400_000;

let fixture: DomainFixture;
beforeAll(async () => void (fixture = await startDomainFixture()));
afterAll(() => fixture.stop());

describe('the daily check', () => {
  /** Dependencies of the use cases, with a clock controlled by the test. */
  let opened: OpenDeps;
  let now = new Date();
  let lookups = 0;
  const invalidated: string[] = [];
  beforeAll(async () => {
    opened = await openDeps(fixture.service.settings);
    const lookUp = createDnsLookup([fixture.dns.address], opened.deps.domains.target);
    Object.assign(opened.deps, {
      now: () => now,
      invalidate: (keys: string[]) => void invalidated.push(...keys),
      lookUp: (...args: Parameters<DnsLookup>) => {
        lookups += 1;
        return lookUp(...args);
      },
    });
  });
  afterAll(() => opened.close());
  // Otherwise, domains of earlier tests would become due as the clock advances.
  beforeEach(async () => void (await fixture.service.models.domains.deleteMany({})));
  const recheck = () => recheckDomains({ ...opened.deps, signal: new AbortController().signal });
  const stored = (id: string) => fixture.service.models.domains.findById(id).lean();
  const advance = (ms: number) => void (now = new Date(now.getTime() + ms));

  test('checks verified domains a day after the last check, once across replicas', async () => {
    const caller = fixture.service.as();
    const domains = await Promise.all([1, 2, 3].map(() => fixture.aVerifiedDomain(caller)));
    await fixture.add(caller);
    now = new Date();
    lookups = 0;
    await recheck();
    expect(lookups).toBe(0);
    advance(DAY);
    await Promise.all([recheck(), recheck(), recheck()]);
    expect(lookups).toBe(3);
    for (const { id } of domains) expect(await stored(id)).toMatchObject({ status: 'verified', lastCheckedAt: now });
  });

  test('reports wrong records once, fails the domain after seven days, and allows verifying it again', async () => {
    const caller = fixture.service.as();
    const { id, domain, dnsRecords } = await fixture.aVerifiedDomain(caller);
    const link = await caller.aLink({ domain });
    now = new Date();
    invalidated.length = 0;
    fixture.dns.remove(dnsRecords[0]!.name);
    for (let day = 1; day <= 7; day += 1) {
      advance(DAY);
      await recheck();
      expect((await stored(id))!.status).toBe('verified');
    }
    const failing = (await fixture.service.events(caller.workspaceId, 4)).filter(
      ({ type }) => type === 'domain.failing',
    );
    expect(failing).toMatchObject([
      {
        actor: { type: 'system' },
        data: { id, status: 'verified' },
        changes: { lastError: { before: null, after: expect.stringMatching(/has no TXT record/) } },
      },
    ]);
    expect(await fixture.entryOf(domain)).not.toBeNull();
    expect(invalidated).toEqual([]);
    advance(DAY);
    await recheck();
    expect(invalidated).toEqual([`${domain}/`]);
    expect(await stored(id)).toMatchObject({ status: 'failed', linkCount: 1 });
    expect(await fixture.entryOf(domain)).toBeNull();
    const failed = (await fixture.service.events(caller.workspaceId, 5)).at(-1);
    expect(failed).toMatchObject({
      type: 'domain.failed',
      actor: { type: 'system' },
      workspaceId: caller.workspaceId,
      data: { id, status: 'failed' },
      changes: { status: { before: 'verified', after: 'failed' } },
    });
    await expect(caller.aLink({ domain })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
    await expect(caller.links('UpdateLink', { id: link.id, slug: 'other' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'slug',
    });
    fixture.setDnsRecords(await caller.domains('GetDomain', { id }));
    expect((await verifyDomain(opened.deps, caller.by, { id })).status).toBe('verified');
    expect(await fixture.entryOf(domain)).toMatchObject({ workspaceId: caller.workspaceId });
    expect((await caller.links('GetLink', { idOrSlug: link.id })).domain).toBe(domain);
  });

  test('checks all due domains, eight concurrently, neither records nor logs checks aborted by a shutdown, and repeats these after their lease expires', async () => {
    const caller = fixture.service.as();
    const domains = await Promise.all(Array.from({ length: 17 }, () => fixture.aVerifiedDomain(caller)));
    for (const { domain } of domains) fixture.dns.silence(domain);
    now = new Date();
    advance(DAY);
    const shutdown = new AbortController();
    lookups = 0;
    const warnings: unknown[] = [];
    const log = { ...opened.deps.log, warn: (fields: object) => void warnings.push(fields) } as Log;
    const pending = recheckDomains({ ...opened.deps, log, signal: shutdown.signal });
    await until(() => lookups === 8);
    const abortedAt = Date.now();
    shutdown.abort();
    await pending;
    expect(Date.now() - abortedAt).toBeLessThan(allowedMs(1_000));
    expect([lookups, warnings]).toEqual([8, []]);
    for (const { id, lastCheckedAt } of domains)
      expect((await stored(id))!.lastCheckedAt!.toISOString()).toBe(lastCheckedAt);
    for (const { domain } of domains) fixture.dns.set(domain, { CNAME: ['links.example.net'] });
    await recheck();
    expect(lookups).toBe(17);
    advance(61_000);
    await recheck();
    expect(lookups).toBe(25);
    expect(await opened.models.domains.countDocuments({ lastCheckedAt: now })).toBe(8);
  });

  test('logs a check that fails, and checks the other domains', async () => {
    const caller = fixture.service.as();
    const domains = await Promise.all([1, 2, 3].map(() => fixture.aVerifiedDomain(caller)));
    now = new Date();
    advance(DAY);
    const broken = domains[1]!;
    const warnings: unknown[] = [];
    const lookUp: DnsLookup = (name, signal) =>
      name === broken.domain ? Promise.reject(new Error('broken')) : opened.deps.lookUp(name, signal);
    const log = { ...opened.deps.log, warn: ({ domainId }: { domainId: string }) => void warnings.push(domainId) };
    await recheckDomains({ ...opened.deps, lookUp, log: log as Log });
    expect(warnings).toEqual([broken.id]);
    const checked = await opened.models.domains.find({ lastCheckedAt: now }).lean();
    expect(checked.map(({ _id }) => _id).sort()).toEqual([domains[0]!.id, domains[2]!.id].sort());
  });

  test('a verification fails if its domain is deleted during the lookup', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.add(caller);
    fixture.setDnsRecords(domain);
    const { id } = domain;
    const lookUp: DnsLookup = async (name) => {
      await caller.domains('DeleteDomain', { id });
      return opened.deps.lookUp(name);
    };
    const verification = verifyDomain({ ...opened.deps, lookUp }, caller.by, { id });
    await expect(verification).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.entryOf(domain.domain)).toBeNull();
  });

  /** Makes a verified domain fail, and verifies the same name for the workspace of `next`. Returns its new domain. */
  async function passOn({ id, domain }: { id: string; domain: string }, next: Caller) {
    await opened.models.domains.updateOne(
      { _id: id },
      { $set: { failingSince: new Date(0), nextCheckAt: new Date(0) } },
    );
    fixture.dns.remove(domain);
    await recheck();
    return fixture.aVerifiedDomain(next, domain);
  }

  test('the next owner of a lost domain can use the slugs of the former owner, who can no longer change the domain or its routes', async () => {
    const [former, next] = [fixture.service.as(), fixture.service.as()];
    const lost = await fixture.aVerifiedDomain(former);
    const { id, domain } = lost;
    const formerLink = await former.aLink({ domain, slug: 'promo', maxClicks: 5 });
    await passOn(lost, next);
    const promo = await next.aLink({ domain, slug: 'promo', url: 'https://next.example/' });
    expect(await fixture.service.models.routes.findById(`${domain}/promo`).lean()).toMatchObject({ linkId: promo.id });
    await expect(former.domains('VerifyDomain', { id })).rejects.toMatchObject({ code: 'DOMAIN_TAKEN' });
    await expect(former.links('UpdateLink', { id: formerLink.id, maxClicks: 9 })).rejects.toMatchObject({
      code: 'SLUG_TAKEN',
    });
    await former.links('DeleteLink', { id: formerLink.id });
    expect(await fixture.service.models.routes.findById(`${domain}/promo`).lean()).toMatchObject({
      linkId: promo.id,
      status: 'active',
    });
    await former.domains('DeleteDomain', { id });
    expect((await fixture.entryOf(domain))!.workspaceId).toBe(next.workspaceId);
  });

  /** Creates a link on a domain that is then lost to another workspace, which uses the slug and deletes the domain. */
  async function aLinkOnLostDomain(
    owner: Caller,
    { maxClicks, clickCount }: { maxClicks: number; clickCount: number },
  ) {
    const next = fixture.service.as();
    const domain = await fixture.aVerifiedDomain(owner);
    const fields = { domain: domain.domain, slug: 'promo' };
    const { id } = await owner.aLink({ ...fields, maxClicks });
    await opened.models.links.updateOne({ _id: id }, { $set: { clickCount } });
    const passedOn = await passOn(domain, next);
    await next.links('DeleteLink', { id: (await next.aLink(fields)).id });
    await next.domains('DeleteDomain', { id: passedOn.id });
    return { id, key: `${domain.domain}/promo`, domain };
  }

  test.each([true, false])(
    'an owner who verifies a lost domain again can reclaim a slug (still reserved by the next owner: %s)',
    async (reserved) => {
      const owner = fixture.service.as();
      const { id, key, domain } = await aLinkOnLostDomain(owner, { maxClicks: 5, clickCount: 2 });
      if (!reserved) await opened.models.routes.deleteOne({ _id: key });
      const activate = { id, status: 'active' };
      await expect(owner.links('UpdateLink', activate)).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
      fixture.setDnsRecords(domain);
      await owner.domains('VerifyDomain', { id: domain.id });
      fixture.service.invalidated.length = 0;
      expect(await owner.links('UpdateLink', activate)).toMatchObject({ id, status: 'active' });
      const { workspaceId } = owner;
      const restored = { workspaceId, linkId: id, status: 'active', maxClicks: 5, remaining: 3 };
      expect(await opened.models.routes.findById(key).lean()).toMatchObject(restored);
      await until(() => fixture.service.invalidated.includes(key));
    },
  );

  test('a link with a used-up limit expires when its slug is reclaimed', async () => {
    const owner = fixture.service.as();
    const { id, domain } = await aLinkOnLostDomain(owner, { maxClicks: 2, clickCount: 2 });
    fixture.setDnsRecords(domain);
    await owner.domains('VerifyDomain', { id: domain.id });
    const { updated, failed } = await owner.links('BulkLinks', { action: 'activate', ids: [id] });
    expect({ updated, failed }).toMatchObject({ updated: 0, failed: [{ id, code: 'VALIDATION_ERROR' }] });
    expect(await opened.models.links.findById(id).lean()).toMatchObject({ status: 'expired' });
    expect((await owner.links('UpdateLink', { id, maxClicks: 3, status: 'active' })).status).toBe('active');
  });
});
