import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { inTransaction } from '@tautan/kit/mongo';
import { eventually, until } from '@tautan/kit/testing';
import type { PlanName } from '@tautan/proto';
import sharp from 'sharp';
import { aPrincipal, startService, type Caller, type TestService } from './testing/service.js';

const MAX = 4;
const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_LOGOS: `${MAX}`, LOGO_SWEEP_MS: '20', PLAN_FREE: '{"qrLogoEnabled":false}' });
  await service.addReplica();
});
afterEach(() => service.linkProxy.restore());
afterAll(() => service.stop());

let shade = 0;
const aFile = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: { r: (shade += 1) % 256, g: shade >> 8, b: 0 } } })
    .png()
    .toBuffer();
const upload = async ({ images }: Caller, content?: Buffer): Promise<string> =>
  (await images('UploadLogo', { content: content ?? (await aFile()) })).logoRunRef;

const exists = async (id: string): Promise<boolean> => (await service.models.logos.exists({ _id: id })) !== null;
/** Sets the last use of logos to some days ago. */
const age = (ids: string[], days: number) =>
  service.models.logos.updateMany({ _id: { $in: ids } }, { usedAt: new Date(Date.now() - days * DAY_MS) });
/** Resolves once a sweep has processed all logos that were unused for 31 days when this function was called. */
async function swept(): Promise<void> {
  const marker = await upload(service.as());
  await age([marker], 31);
  await until(async () => !(await exists(marker)));
}

describe('the logo limit', () => {
  test('is exact under concurrent uploads on two replicas', async () => {
    const caller = service.as(undefined, 40_000);
    const files = await Promise.all(Array.from({ length: 10 }, aFile));
    const results = await Promise.allSettled(files.map((file) => upload(caller, file)));
    const refused = results.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(files.length - MAX);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'VALIDATION_ERROR', field: 'logo' });
      expect((reason as Error).message).toBe(
        'A workspace can have at most 4 logos. Reuse the logoRunRef of one of them; logos that no QR code uses are deleted after 30 days.',
      );
    }
    expect(await service.models.logos.countDocuments({ workspaceId: caller.workspaceId })).toBe(MAX);
    const stored = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results[stored]).toEqual({ status: 'fulfilled', value: await upload(caller, files[stored]) });
    await upload(service.as());
  });

  test('counts concurrent uploads of the same file once', async () => {
    const caller = service.as();
    for (let i = 1; i < MAX; i += 1) await upload(caller);
    const file = await aFile();
    const refs = await Promise.all(Array.from({ length: 6 }, () => upload(caller, file)));
    expect(new Set(refs).size).toBe(1);
  });
});

describe('an unused logo', () => {
  test('is deleted after 30 days; the deletion is counted and allows another upload', async () => {
    const caller = service.as();
    const refs: string[] = [];
    for (let i = 0; i < MAX; i += 1) refs.push(await upload(caller));
    await expect(upload(caller)).rejects.toMatchObject({ field: 'logo' });
    await age(refs.slice(0, 1), 29.9);
    await age(refs.slice(1, 2), 30.1);
    await until(async () => !(await exists(refs[1]!)));
    await swept();
    expect(await Promise.all(refs.map(exists))).toEqual([true, false, true, true]);
    await upload(caller);
    await eventually(async () =>
      expect(await service.metric('tautan_qr_unused_logos_deleted_total')).toBeGreaterThan(0),
    );
  });

  test('is kept for another 30 days if its file is uploaded again', async () => {
    const caller = service.as();
    const file = await aFile();
    const ref = await upload(caller, file);
    await age([ref], 29.9);
    const uploadedAfter = Date.now();
    const refs = await Promise.all(Array.from({ length: 8 }, () => upload(caller, file)));
    expect(new Set(refs)).toEqual(new Set([ref]));
    const { usedAt } = await service.models.logos.findById(ref).orFail().lean();
    expect(usedAt.getTime()).toBeGreaterThanOrEqual(uploadedAfter);
  });

  test('from an earlier version, without `usedAt`, gets the current time as `usedAt` and is kept', async () => {
    const ref = await upload(service.as());
    await service.models.logos.updateOne({ _id: ref }, { $unset: { usedAt: 1 } });
    await until(async () => (await service.models.logos.findById(ref).lean())?.usedAt);
    await swept();
    expect(await exists(ref)).toBe(true);
  });

  test('that is being deleted cannot be assigned to a QR code, and is created anew if its file is uploaded', async () => {
    const caller = service.as();
    const file = await aFile();
    const [ref, { id }] = [await upload(caller, file), await caller.aCode()];
    const gone = { code: 'VALIDATION_ERROR', field: 'logoRunRef' };
    const { attempts } = await inTransaction(service.connection, 5_000, async (session) => {
      await service.models.logos.deleteOne({ _id: ref }, { session });
      const attempts = Promise.allSettled([
        caller.aCode({ logoRunRef: ref }),
        caller.update(id, { logoRunRef: ref }),
        caller.aCode(),
        upload(caller, file),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { attempts };
    });
    const [created, changed, other, uploaded] = await attempts;
    expect(created).toMatchObject({ reason: gone });
    expect(changed).toMatchObject({ reason: gone });
    expect(other).toMatchObject({ status: 'fulfilled' });
    expect(uploaded).toMatchObject({ status: 'fulfilled', value: expect.not.stringContaining(ref) });
    expect(await service.models.qrCodes.countDocuments({ logoRunRef: ref })).toBe(0);
  });
});

describe('a logo in use', () => {
  test('is kept until 30 days after its last use', async () => {
    const caller = service.as();
    const refs = [await upload(caller), await upload(caller)];
    const deleted = await caller.aCode({ logoRunRef: refs[0]! });
    const changed = await caller.aCode({ logoRunRef: refs[1]! });
    await age(refs, 31);
    await swept();
    expect(await Promise.all(refs.map(exists))).toEqual([true, true]);
    // The sweep updates only dates older than 30 days, so the dates below are those of the deletion and the change.
    await age(refs, 10);
    const changedAfter = Date.now();
    await caller.call('DeleteQrCode', { id: deleted.id });
    await caller.update(changed.id, { clear: ['logoRunRef'] });
    const logos = await service.models.logos.find({ _id: { $in: refs } }).lean();
    for (const { usedAt } of logos) expect(usedAt.getTime()).toBeGreaterThanOrEqual(changedAfter);
    await age(refs, 31);
    await until(async () => !(await exists(refs[0]!)) && !(await exists(refs[1]!)));
  });

  test.each(['created', 'changed'])('by a QR code that is being %s is kept', async (how) => {
    const caller = service.as();
    const [ref, { id }] = [await upload(caller), await caller.aCode()];
    service.linkProxy.failOn('PutQrRoute', 'before', async () => {
      await age([ref], 31);
      await swept();
    });
    const operationId = newUlid();
    const work =
      how === 'created' ? caller.aCode({ operationId, logoRunRef: ref }) : caller.update(id, { logoRunRef: ref });
    await expect(work).rejects.toMatchObject({ code: expect.stringMatching('SERVICE_UNAVAILABLE|TIMEOUT') });
    expect(await exists(ref)).toBe(true);
  });
});

describe('a plan without logos', () => {
  const on = (plan: PlanName, workspaceId?: string) => service.as(aPrincipal(workspaceId, { plan }));
  const refused = {
    code: 'PLAN_LIMIT_EXCEEDED',
    field: 'qrLogoEnabled',
    message: expect.stringMatching('^The FREE plan'),
  };

  test('rejects uploads and QR codes with a logo', async () => {
    const paid = on('PRO');
    const [ref, { id }] = [await upload(paid), await paid.aCode()];
    const free = on('FREE', paid.workspaceId);
    await expect(upload(free)).rejects.toMatchObject(refused);
    await expect(free.aCode({ logoRunRef: ref })).rejects.toMatchObject(refused);
    await expect(free.update(id, { logoRunRef: ref })).rejects.toMatchObject(refused);
    expect(await free.usage()).toBe(1);
  });

  test('keeps the existing logos of QR codes', async () => {
    const paid = on('PRO');
    const logoRunRef = await upload(paid);
    const { id } = await paid.aCode({ logoRunRef });
    const free = on('FREE', paid.workspaceId);
    expect(await free.update(id, { logoRunRef, title: 'Same logo' })).toMatchObject({ logoRunRef, title: 'Same logo' });
    expect((await free.images('RenderQrCode', { id })).contentType).toBe('image/png');
    expect((await free.images('PreviewQrCode', { id, logoRunRef })).contentType).toBe('image/png');
    expect((await free.update(id, { clear: ['logoRunRef'] })).logoRunRef).toBeUndefined();
    await expect(free.update(id, { logoRunRef })).rejects.toMatchObject(refused);
    for (const code of [{ id }, {}])
      await expect(free.images('PreviewQrCode', { ...code, logoRunRef })).rejects.toMatchObject(refused);
  });
});
