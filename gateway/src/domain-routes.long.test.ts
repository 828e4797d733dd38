import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { aDomain, domains } from './testing/domains.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';
import { NOW } from './testing/people.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.domains = domains();
});
afterAll(() => gateway.stop());

const ID = aDomain().id;
const ask = (method: string, path: string, body?: unknown, headers = {}) =>
  gateway.request(method, `/domains${path}`, body, headers);
const unset = {
  brandName: null,
  brandLogoUrl: null,
  brandColor: null,
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
};
const domainView = { ...aDomain(), verifiedAt: null, lastCheckedAt: null, lastError: null, ...unset };

describe('domains', () => {
  test('are listed without pagination', async () => {
    const { status, data, meta } = await ask('GET', '');
    expect([status, meta.page]).toEqual([200, { limit: 2, hasMore: false }]);
    expect(data).toEqual([{ ...domainView, status: 'verified', verifiedAt: NOW, lastCheckedAt: NOW }, domainView]);
  });

  test('are added once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'add-1' };
    const answers = [
      await ask('POST', '', { domain: 'a.example' }, headers),
      await ask('POST', '', { domain: 'a.example' }, headers),
    ];
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [201, { ...domainView, domain: 'a.example' }],
      [201, { ...domainView, domain: 'a.example' }],
    ]);
    const requests = requestsTo(gateway.services, 'AddDomain');
    expect(requests).toEqual([{ domain: 'a.example', operationId: expect.stringMatching(/./) }]);
  });

  test('are returned, verified and removed by id', async () => {
    expect(await ask('GET', `/${ID}`)).toMatchObject({ status: 200, data: domainView });
    const verified = await ask('POST', `/${ID}/verify`);
    expect(verified.status).toBe(200);
    expect(verified.data).toEqual({ ...domainView, status: 'failed', lastCheckedAt: NOW, lastError: 'No.' });
    expect(await ask('DELETE', `/${ID}`)).toMatchObject({ status: 200, data: { id: ID, deleted: true } });
    for (const method of ['GetDomain', 'VerifyDomain', 'DeleteDomain']) {
      expect(requestsTo(gateway.services, method)).toEqual([{ id: ID }]);
    }
  });

  test('are updated by id, once per Idempotency-Key', async () => {
    const send = () => ask('PATCH', `/${ID}`, { brandName: 'Toko', rootUrl: null }, { 'idempotency-key': 'update-1' });
    const [{ status, data }, second] = [await send(), await send()];
    expect([status, data]).toEqual([200, { ...domainView, brandName: 'Toko' }]);
    expect(second.data).toEqual(data);
    expect(requestsTo(gateway.services, 'UpdateDomain')).toEqual([{ id: ID, brandName: 'Toko', clear: ['rootUrl'] }]);
  });

  test.each([
    ['status', 'verified'],
    ['brandName', 5],
    ['brandColor', '#123456789abcdef'],
    ['expiredUrl', ''],
  ])('reject %s %p in an update, and the error names the field', async (field, value) => {
    const { status, error } = await ask('PATCH', `/${ID}`, { [field]: value });
    expect([status, error?.code, error?.field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  test('are verified with a timeout longer than the 5 s of a DNS lookup', async () => {
    gateway.services.domains.VerifyDomain = async (_call, { id }) => {
      await new Promise((resolve) => setTimeout(resolve, 5_200));
      return aDomain({ id });
    };
    expect((await ask('POST', `/${ID}/verify`)).status).toBe(200);
  });

  test.each([
    ['AddDomain', 'POST', '', 'DOMAIN_TAKEN'],
    ['VerifyDomain', 'POST', `/${ID}/verify`, 'DOMAIN_TAKEN'],
    ['DeleteDomain', 'DELETE', `/${ID}`, 'DOMAIN_IN_USE'],
  ] as const)('respond with 409 if %s is rejected', async (rpc, method, path, code) => {
    const field = code === 'DOMAIN_TAKEN' ? 'domain' : undefined;
    gateway.services.domains[rpc] = () => Promise.reject(fail(code, 'No.', field));
    const { status, error } = await ask(method, path, rpc === 'AddDomain' ? { domain: 'a.example' } : undefined);
    expect([status, error]).toEqual([409, { code, message: 'No.', ...(field && { field }) }]);
  });
});
