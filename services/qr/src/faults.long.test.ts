import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { faultCode } from '@tautan/kit';
import { eventually, until } from '@tautan/kit/testing';
import type { EventData, TautanEvent } from '@tautan/proto';
import { startService, type Caller, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ABANDONED_MS: '1500', LEASE_MS: '1000', EXPIRY_SWEEP_MS: '100' });
  await service.addReplica();
});
afterAll(() => service.stop());

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
const tagNames = ['a', 'b', 'c', 'd'];
const someTags = () => tagNames.filter(() => Math.random() < 0.5);

/** Errors that callers may receive while the link service fails intermittently and others make changes. */
const allowedErrors = ['SERVICE_UNAVAILABLE', 'TIMEOUT', 'NOT_FOUND', 'VALIDATION_ERROR'];

/** Performs a random operation on the QR codes of a workspace. */
async function performRandomOperation({ aCode, update, call }: Caller, ids: string[]): Promise<void> {
  const id = pick(ids);
  const chance = Math.random();
  if (!id || chance < 0.2) ids.push((await aCode({ tags: someTags(), maxScans: 100 })).id);
  else if (chance < 0.3) await call('DeleteQrCode', { id });
  else if (chance < 0.5) await update(id, { tags: { names: someTags() } });
  else if (chance < 0.6) await update(id, { url: 'ftp://example.com', tags: { names: ['never'] } });
  else
    await update(id, { title: `${Math.random()}`, status: pick(['active', 'archived']), tags: { names: someTags() } });
}

/** Makes calls of a random method of the link service fail intermittently until `signal` is aborted. */
async function injectFaults(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    service.linkProxy.failOn(pick(['PutQrRoute', 'RemoveQrRoute', 'ListQrRoutes']), pick(['before', 'after']));
    await pause(10);
    service.linkProxy.restore();
    await pause(30);
  }
}

type Data = EventData<'qr_code.updated'>;

test('records, redirects, counts and events stay consistent when calls fail', async () => {
  const caller = service.as();
  const { workspaceId } = caller;
  const ids: string[] = [];
  const finished = new AbortController();
  const injecting = injectFaults(finished.signal);
  const actor = async (): Promise<void> => {
    for (let i = 0; i < 40; i += 1) {
      await performRandomOperation(caller, ids).catch((error: unknown) =>
        expect(allowedErrors).toContain(faultCode(error)),
      );
    }
  };
  await Promise.all(Array.from({ length: 5 }, actor));
  finished.abort();
  await injecting;
  await until(async () => !(await service.models.qrCodes.exists({ workspaceId, dueAt: { $ne: null } })));

  // Events may still be in flight.
  await eventually(() => expectConsistency(caller), 10_000);
}, 90_000);

async function expectConsistency(caller: Caller): Promise<void> {
  const { qrCodes } = await caller.call('ListQrCodes', { limit: 200, tags: [] });
  const events = await service.events(caller.workspaceId, qrCodes.length);
  const eventsOf = (id: string) => events.filter(({ target }) => target.id === id);
  for (const code of qrCodes) {
    const published = eventsOf(code.id);
    expect(published.map(({ type }) => type)).toEqual([
      'qr_code.created',
      ...published.slice(1).map(() => 'qr_code.updated'),
    ]);
    expect(lastOf(published)).toMatchObject({
      title: code.title ?? null,
      tags: code.tags,
      status: code.status,
      updatedAt: code.updatedAt,
    });
    expect(await service.scan(code.slug)).toBe(code.status === 'active' ? 302 : 410);
    expectContinuity(published);
  }
  // Every created code that no longer exists has exactly one deletion event.
  const creationsOfDeleted = events.filter(
    ({ type, target }) => type === 'qr_code.created' && !qrCodes.some(({ id }) => id === target.id),
  );
  for (const { target } of creationsOfDeleted)
    expect(eventsOf(target.id).filter(({ type }) => type === 'qr_code.deleted')).toHaveLength(1);
  const { tags } = await caller.tags('ListTags', {});
  expect(tags.map(({ name }) => name)).not.toContain('never');
  for (const { name, qrCodeCount } of tags) {
    expect([name, qrCodeCount]).toEqual([name, qrCodes.filter((code) => code.tags.includes(name)).length]);
  }
  expect(qrCodes.length + creationsOfDeleted.length).toBeGreaterThan(5);
}

const byTime = (a: TautanEvent, b: TautanEvent) => ((a.data as Data).updatedAt < (b.data as Data).updatedAt ? -1 : 1);
const lastOf = (published: TautanEvent[]): Data => published.toSorted(byTime).at(-1)!.data as Data;

/** Expects each change to start from the result of the previous one. */
function expectContinuity(published: TautanEvent[]): void {
  const [first, ...rest] = published.toSorted(byTime);
  let before: Record<string, unknown> = first!.data;
  for (const { changes, data } of rest) {
    for (const [field, change] of Object.entries(changes))
      expect([field, change.before]).toEqual([field, before[field]]);
    before = data;
  }
}
