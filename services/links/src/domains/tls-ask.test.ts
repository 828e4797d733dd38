import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDomainFixture, type DomainFixture } from '../testing/domains.js';

let fixture: DomainFixture;
beforeAll(async () => void (fixture = await startDomainFixture()));
afterAll(() => fixture.stop());

describe('GET /internal/tls/ask', () => {
  const ask = async (domain: string) =>
    (await fetch(`http://127.0.0.1:${fixture.service.ports['admin']}/internal/tls/ask?domain=${domain}`)).status;

  test('responds with 200 only for a verified domain', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    const pending = await fixture.add(caller);
    expect(await Promise.all([domain, domain.toUpperCase(), `${domain}.`].map(ask))).toEqual([200, 200, 200]);
    const others = [pending.domain, 'nobody.example', 'go.example.com', '', 'a b', `${domain}/`, '%00'];
    expect(await Promise.all(others.map(ask))).toEqual(others.map(() => 404));
    await caller.domains('DeleteDomain', { id });
    expect(await ask(domain)).toBe(404);
  });
});
