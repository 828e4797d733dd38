import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { startService, type Caller, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ EXPIRY_SWEEP_MS: '100' });
  await service.addReplica();
});
afterAll(() => service.stop());

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
const untilExpired = ({ get }: Caller, id: string) =>
  until(async () => {
    const code = await get(id);
    return code.status === 'expired' && code;
  });

describe('a QR code', () => {
  test('expires at its expiry time, once across all replicas, with the system as the actor', async () => {
    const caller = service.as();
    const codes = await Promise.all(
      Array.from({ length: 5 }, () => caller.aCode({ expiresAt: fromNow(1_000), tags: ['a'] })),
    );
    for (const { id } of codes) await untilExpired(caller, id);
    const events = (await service.events(caller.workspaceId, 10)).slice(5);
    expect(events.map(({ target }) => target.id).sort()).toEqual(codes.map(({ id }) => id).sort());
    for (const event of events) {
      expect(event).toMatchObject({
        type: 'qr_code.expired',
        actor: { type: 'system' },
        data: { status: 'expired', tags: ['a'] },
      });
      expect(event.changes).toEqual({ status: { before: 'active', after: 'expired' } });
    }
    expect(await service.scan(codes[0]!.slug)).toBe(410);
  });

  test('expires with its last scan, and redirects exactly `maxScans` scans', async () => {
    const caller = service.as();
    const { id, slug } = await caller.aCode({ maxScans: 3 });
    const statuses = await Promise.all(Array.from({ length: 12 }, () => service.scan(slug)));
    expect(statuses.filter((status) => status === 302)).toHaveLength(3);
    expect(statuses.filter((status) => status === 410)).toHaveLength(9);
    await untilExpired(caller, id);
    const code = await until(async () => {
      const shown = await caller.get(id);
      return shown.scanCount === 3 && shown;
    });
    expect(code.lastScanAt).toBeDefined();
    expect(await service.events(caller.workspaceId, 2)).toHaveLength(2);
  });

  test('is reactivated only by setting its status to active, and only if its limit is raised or removed', async () => {
    const caller = service.as();
    const { id, slug } = await caller.aCode({ maxScans: 1 });
    expect(await service.scan(slug)).toBe(302);
    await untilExpired(caller, id);
    const refused = { code: 'VALIDATION_ERROR', field: 'maxScans' };
    await expect(caller.update(id, { status: 'active' })).rejects.toMatchObject(refused);
    await expect(caller.update(id, { status: 'active', maxScans: 1 })).rejects.toMatchObject(refused);
    expect(await caller.update(id, { maxScans: 2 })).toMatchObject({ status: 'expired', maxScans: 2 });
    expect(await service.scan(slug)).toBe(410);
    expect(await caller.update(id, { status: 'active' })).toMatchObject({ status: 'active' });
    expect(await service.scan(slug)).toBe(302);
    await untilExpired(caller, id);
    expect(await caller.update(id, { status: 'active', clear: ['maxScans'] })).toMatchObject({ status: 'active' });
    expect(await service.scan(slug)).toBe(302);
  });

  test('cannot be reactivated after its expiry time unless the time is changed', async () => {
    const caller = service.as();
    const { id } = await caller.aCode({ expiresAt: fromNow(200) });
    await untilExpired(caller, id);
    const refused = { code: 'VALIDATION_ERROR', field: 'expiresAt' };
    await expect(caller.update(id, { status: 'active' })).rejects.toMatchObject(refused);
    expect(await caller.update(id, { status: 'active', expiresAt: fromNow(60_000) })).toMatchObject({
      status: 'active',
    });
  });

  test('expires immediately if a new limit is already used up, and the response says so', async () => {
    const caller = service.as();
    const { id, slug } = await caller.aCode({ maxScans: 5 });
    for (let i = 0; i < 2; i += 1) expect(await service.scan(slug)).toBe(302);
    expect(await caller.update(id, { maxScans: 2 })).toMatchObject({ status: 'expired', maxScans: 2 });
    const events = await service.events(caller.workspaceId, 3);
    expect(events.map(({ type }) => type)).toEqual(['qr_code.created', 'qr_code.updated', 'qr_code.expired']);
  });

  test('does not expire while archived', async () => {
    const caller = service.as();
    const { id } = await caller.aCode({ expiresAt: fromNow(400) });
    await caller.update(id, { status: 'archived' });
    const other = await caller.aCode({ expiresAt: fromNow(500) });
    await untilExpired(caller, other.id);
    expect(await caller.get(id)).toMatchObject({ status: 'archived' });
    expect(await caller.update(id, { title: 'Lama' })).toMatchObject({ status: 'archived', title: 'Lama' });
  });
});
