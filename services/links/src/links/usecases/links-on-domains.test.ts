import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { startDomainFixture, type DomainFixture } from '../../testing/domains.js';

let fixture: DomainFixture;
beforeAll(async () => void (fixture = await startDomainFixture()));
afterAll(() => fixture.stop());

describe('links on a domain', () => {
  test('have the host name of the domain in their short URLs, are found by domain and slug, and are included in linkCount', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    const link = await caller.aLink({ domain: domain.toUpperCase(), slug: 'Promo' });
    expect(link).toMatchObject({ domain, shortUrl: `https://${domain}/Promo` });
    expect(await caller.links('GetLink', { idOrSlug: 'promo', domain })).toEqual(link);
    const foreign = fixture.service.as().links('GetLink', { idOrSlug: 'promo', domain });
    await expect(foreign).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const withoutSlug = fixture.service.as().links('GetLink', { idOrSlug: '', domain });
    await expect(withoutSlug).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const onDefaultDomain = await caller.aLink({ slug: 'Promo' });
    expect((await caller.domains('GetDomain', { id })).linkCount).toBe(1);
    await caller.aLink({ domain, tags: ['a'] });
    const updated = await caller.links('UpdateLink', { id: 'PROMO', domain, title: 'new' });
    expect(updated).toMatchObject({ id: link.id, title: 'new' });
    expect(await caller.links('DeleteLink', { id: 'promo', domain })).toEqual({ id: link.id });
    expect((await caller.domains('GetDomain', { id })).linkCount).toBe(1);
    expect(await caller.links('GetLink', { idOrSlug: 'promo' })).toEqual(onDefaultDomain);
  });

  test('are rejected with an error that names the field, unless their workspace has verified the domain', async () => {
    const caller = fixture.service.as();
    const pending = await fixture.add(caller);
    const foreign = await fixture.aVerifiedDomain(fixture.service.as());
    const expectedError = { code: 'VALIDATION_ERROR', field: 'domain' };
    for (const domain of [pending.domain, foreign.domain, 'nobody.example', 'no domain', '']) {
      await expect(caller.aLink({ domain })).rejects.toMatchObject(expectedError);
    }
    expect(await fixture.service.models.links.countDocuments({ workspaceId: caller.workspaceId })).toBe(0);
  });

  test('are validated per row by imports and dry runs', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    const url = 'https://example.com';
    const rows = [
      { link: { url, domain, slug: 'a' } },
      { link: { url, domain: 'nobody.example' } },
      { link: { url, slug: 'a' } },
    ];
    for (const dryRun of [true, false]) {
      const { results } = await caller.links('ImportLinks', { dryRun, links: rows });
      const fine = dryRun ? 'valid' : 'created';
      expect(results.map(({ status }) => status)).toEqual([fine, 'failed', fine]);
      expect(results[1]!.error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
    }
    expect((await caller.domains('GetDomain', { id })).linkCount).toBe(1);
  });

  test('are all counted when created concurrently', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    await Promise.all(Array.from({ length: 30 }, () => caller.aLink({ domain })));
    expect((await caller.domains('GetDomain', { id })).linkCount).toBe(30);
  });
});

describe('links to a verified domain', () => {
  test('are rejected, because they could cause redirect loops', async () => {
    const [caller, other] = [fixture.service.as(), fixture.service.as()];
    const [{ domain }, pending] = [await fixture.aVerifiedDomain(other), await fixture.add(other)];
    const url = `https://${domain.toUpperCase()}:8443/x`;
    const expectedError = { code: 'VALIDATION_ERROR', field: 'url' };
    await expect(caller.aLink({ url })).rejects.toMatchObject(expectedError);
    const link = await caller.aLink({ url: `https://${pending.domain}/x` });
    await expect(caller.links('UpdateLink', { id: link.id, url })).rejects.toMatchObject(expectedError);
    const rows = [{ link: { url } }, { link: { url: 'https://example.com' } }];
    const { results } = await caller.links('ImportLinks', { links: rows });
    expect(results).toMatchObject([{ status: 'failed', error: expectedError }, { status: 'created' }]);
  });
});

describe('removing a domain', () => {
  test('is rejected while it has links', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    const link = await caller.aLink({ domain });
    await expect(caller.domains('DeleteDomain', { id })).rejects.toMatchObject({ code: 'DOMAIN_IN_USE' });
    expect(await fixture.entryOf(domain)).not.toBeNull();
    await caller.links('DeleteLink', { id: link.id });
    fixture.service.invalidated.length = 0;
    expect(await caller.domains('DeleteDomain', { id })).toEqual({ id });
    expect(await fixture.entryOf(domain)).toBeNull();
    await until(() => fixture.service.invalidated.includes(`${domain}/`));
    await expect(caller.domains('GetDomain', { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(caller.aLink({ domain })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
    const events = await fixture.service.events(caller.workspaceId, 5);
    expect(events.at(-1)).toMatchObject({
      type: 'domain.deleted',
      actor: { id: caller.by.id },
      target: { id, label: domain },
      data: { id, domain },
    });
  });

  test('makes it available to another workspace', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    await caller.domains('DeleteDomain', { id });
    await fixture.aVerifiedDomain(fixture.service.as(), domain);
  });

  test('never leaves a link on a deleted domain, even with concurrent creations', async () => {
    const caller = fixture.service.as();
    for (let round = 0; round < 10; round += 1) {
      const { id, domain } = await fixture.aVerifiedDomain(caller);
      const [removal, link] = await Promise.allSettled([
        caller.domains('DeleteDomain', { id }),
        caller.aLink({ domain }),
      ]);
      expect([removal.status, link.status].sort()).toEqual(['fulfilled', 'rejected']);
      const links = await fixture.service.models.links.countDocuments({ domain });
      expect(links).toBe(link.status === 'fulfilled' ? 1 : 0);
      expect(await fixture.service.models.domains.countDocuments({ name: domain })).toBe(links);
    }
  });
});
