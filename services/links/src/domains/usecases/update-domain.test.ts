import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startDomainFixture, type DomainFixture } from '../../testing/domains.js';

let fixture: DomainFixture;
beforeAll(async () => void (fixture = await startDomainFixture()));
afterAll(() => fixture.stop());

const fields = {
  brandName: 'Toko Sari',
  brandLogoUrl: 'https://cdn.example.com/logo.svg',
  brandColor: '#b91c1c',
  rootUrl: 'https://toko.example/',
  notFoundUrl: 'https://toko.example/not-found',
  expiredUrl: 'https://toko.example/ended',
};

describe('updating a domain', () => {
  test('sets and clears brand and redirects, with one event per change', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.add(caller);
    const update = (change: object) => caller.domains('UpdateDomain', { id, ...change });
    const changed = await update({ ...fields, brandColor: '#B91C1C', rootUrl: 'https://TOKO.example' });
    expect(changed).toMatchObject({ id, domain, ...fields });
    expect(await caller.domains('GetDomain', { id })).toEqual(changed);
    await update(fields);
    const cleared = await update({ clear: ['brandLogoUrl', 'rootUrl'] });
    expect(cleared).toMatchObject({ brandName: 'Toko Sari', notFoundUrl: fields.notFoundUrl });
    expect([cleared.brandLogoUrl, cleared.rootUrl]).toEqual([undefined, undefined]);
    const events = await fixture.service.events(caller.workspaceId, 3);
    expect(events.map(({ type }) => type)).toEqual(['domain.created', 'domain.updated', 'domain.updated']);
    expect(events[1]).toMatchObject({
      actor: { id: caller.by.id },
      target: { type: 'domain', id, label: domain },
      data: { id, ...fields },
    });
    expect(events[2]!.changes).toEqual({
      brandLogoUrl: { before: fields.brandLogoUrl, after: null },
      rootUrl: { before: fields.rootUrl, after: null },
    });
  });

  test('takes effect in redirects when the domain is verified, and from then on immediately', async () => {
    const caller = fixture.service.as();
    const domain = await fixture.add(caller);
    const update = (change: object) => caller.domains('UpdateDomain', { id: domain.id, ...change });
    await update({ rootUrl: fields.rootUrl });
    expect(await fixture.entryOf(domain.domain)).toBeNull();
    fixture.setDnsRecords(domain);
    await caller.domains('VerifyDomain', { id: domain.id });
    expect(await fixture.entryOf(domain.domain)).toMatchObject({ pages: { rootUrl: fields.rootUrl } });
    fixture.service.invalidated.length = 0;
    await update({ rootUrl: 'https://elsewhere.example/' });
    expect(await fixture.entryOf(domain.domain)).toMatchObject({ pages: { rootUrl: 'https://elsewhere.example/' } });
    await until(() => fixture.service.invalidated.includes(`${domain.domain}/`));
  });

  test.each([
    ['brandName', 'x'.repeat(61)],
    ['brandName', ' '],
    ['brandLogoUrl', 'http://cdn.example.com/logo.svg'],
    ['brandLogoUrl', 'data:image/png;base64,AAAA'],
    ['brandColor', 'red'],
    ['brandColor', '#fff'],
    ['rootUrl', 'ftp://toko.example'],
    ['rootUrl', 'https://user:secret@toko.example'],
    ['notFoundUrl', 'https://go.example.com/'],
    ['notFoundUrl', 'http://127.0.0.1/'],
    ['expiredUrl', 'javascript:alert(1)'],
  ])('rejects %s %s, naming the field', async (field, value) => {
    const caller = fixture.service.as();
    const { id } = await fixture.add(caller);
    const refusal = { code: 'VALIDATION_ERROR', field };
    await expect(caller.domains('UpdateDomain', { id, [field]: value })).rejects.toMatchObject(refusal);
  });

  test('rejects redirects to the domain itself, even before it is verified', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.add(caller);
    for (const field of ['rootUrl', 'notFoundUrl', 'expiredUrl']) {
      for (const url of [`https://${domain.toUpperCase()}/a`, `http://${domain}.:8080/`]) {
        const refusal = { code: 'VALIDATION_ERROR', field };
        await expect(caller.domains('UpdateDomain', { id, [field]: url })).rejects.toMatchObject(refusal);
      }
    }
    const other = await caller.domains('UpdateDomain', { id, rootUrl: `https://www.${domain}/` });
    expect(other).toMatchObject({ rootUrl: `https://www.${domain}/` });
  });

  test('rejects redirects to another verified domain, which could loop', async () => {
    const caller = fixture.service.as();
    const { id } = await fixture.add(caller);
    const { domain } = await fixture.aVerifiedDomain(fixture.service.as());
    const change = { id, expiredUrl: `https://${domain}/` };
    await expect(caller.domains('UpdateDomain', change)).rejects.toMatchObject({ field: 'expiredUrl' });
  });

  test('rejects clearing a field that cannot be changed, naming it', async () => {
    const caller = fixture.service.as();
    const { id } = await fixture.add(caller);
    await expect(caller.domains('UpdateDomain', { id, clear: ['status'] })).rejects.toMatchObject({ field: 'status' });
  });

  test('of another workspace is FORBIDDEN, and an unknown one NOT_FOUND', async () => {
    const { id } = await fixture.add(fixture.service.as());
    const { domains } = fixture.service.as();
    await expect(domains('UpdateDomain', { id, brandName: 'A' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(domains('UpdateDomain', { id: newId('dom') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
