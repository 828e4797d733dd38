import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startWithProvider, type ServiceWithProvider } from './testing/people.js';
import { aPrincipal, as } from './testing/service.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterAll(() => fixture.stop());

const link = {
  id: newId('lnk'),
  slug: 'kopi',
  domain: null,
  shortUrl: 'https://go.example.com/kopi',
  url: 'https://example.com',
  title: null,
  description: null,
  tags: [],
  status: 'active',
  expiresAt: null,
  maxClicks: null,
  clickCount: 0,
  lastClickAt: null,
  qrCodeCount: 0,
  createdBy: { type: 'user', id: 'usr_1' },
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
};
const qrCode = {
  ...link,
  id: newId('qr'),
  linkId: link.id,
  styleConfig: {},
  logoRunRef: null,
  maxScans: null,
  scanCount: 0,
  lastScanAt: null,
};
const anEvent = (type: string, workspaceId: string, id = newId('evt')) => ({
  id,
  type,
  at: '2030-01-01T00:00:00.000Z',
  workspaceId,
  actor: { type: 'system', id: null, name: 'system' },
  requestId: null,
  ip: null,
  userAgent: null,
  target: { type: 'link', id: link.id, label: link.slug },
  changes: {},
  data: link,
});
/** Publishes an event. Each call uses a new message id, so that the stream does not discard a repeated event. */
const publish = (event: { id: string; type: string }, messageId = newId('evt')) =>
  fixture.bus.publish(`events.${event.type}`, JSON.stringify(event), { id: messageId });
const aWorkspace = async () => (await fixture.service.operators.call('CreateWorkspace', { name: 'Kopi' }, as())).id;
const countsIn = (workspaceId: string) =>
  fixture.service.workspaces.call('GetWorkspace', {}, as(aPrincipal({ workspaceId })));
const linkCountIn = async (workspaceId: string) => (await countsIn(workspaceId)).linkCount;

test('links are counted per workspace', async () => {
  const [mine, theirs] = [await aWorkspace(), await aWorkspace()];
  for (const id of [mine, mine, mine, theirs]) await publish(anEvent('link.created', id));
  await until(async () => (await linkCountIn(mine)) === 3 && (await linkCountIn(theirs)) === 1);
  await publish(anEvent('link.deleted', mine));
  await until(async () => (await linkCountIn(mine)) === 2);
  expect(await linkCountIn(theirs)).toBe(1);
});

test('QR codes are counted separately from links', async () => {
  const workspaceId = await aWorkspace();
  for (const type of ['created', 'created', 'deleted', 'created']) {
    const event = { ...anEvent(`qr_code.${type}`, workspaceId), data: qrCode };
    await publish(event);
  }
  await until(async () => (await countsIn(workspaceId)).qrCodeCount === 2);
  expect(await linkCountIn(workspaceId)).toBe(0);
});

test('an event is counted once, even if it is delivered several times', async () => {
  const workspaceId = await aWorkspace();
  const [created, deleted] = [anEvent('link.created', workspaceId), anEvent('link.deleted', workspaceId)];
  await publish(anEvent('link.created', workspaceId));
  for (let i = 0; i < 5; i += 1) await Promise.all([publish(created), publish(deleted)]);
  await publish(anEvent('link.created', workspaceId));
  // Wait until the last event and both repeated events have been processed.
  const last = anEvent('link.deleted', workspaceId);
  await publish(last);
  await until(() => fixture.models.appliedEvents.exists({ _id: last.id }));
  await until(
    async () => (await fixture.models.appliedEvents.countDocuments({ _id: { $in: [created.id, deleted.id] } })) === 2,
  );
  await until(async () => (await linkCountIn(workspaceId)) === 1);
  expect(await fixture.models.workspaces.findById(workspaceId).lean()).toMatchObject({ linkCount: 1 });
});

test('concurrent events are all counted', async () => {
  const workspaceId = await aWorkspace();
  const created = Array.from({ length: 60 }, () => anEvent('link.created', workspaceId));
  const deleted = Array.from({ length: 20 }, () => anEvent('link.deleted', workspaceId));
  await Promise.all([...created, ...deleted].map((event) => publish(event)));
  await until(async () => (await linkCountIn(workspaceId)) === 40);
});

test('a deletion that arrives before the creation does not make the count negative', async () => {
  const workspaceId = await aWorkspace();
  const deleted = anEvent('link.deleted', workspaceId);
  await publish(deleted);
  await until(() => fixture.models.appliedEvents.exists({ _id: deleted.id }));
  expect(await linkCountIn(workspaceId)).toBe(0);
});

test('malformed events are dead-lettered and do not block others', async () => {
  const workspaceId = await aWorkspace();
  await fixture.bus.publish('events.link.created', '{"no":"event"}', { id: newId('evt') });
  await fixture.bus.publish('events.link.created', 'no JSON', { id: newId('evt') });
  await publish(anEvent('link.created', workspaceId));
  await until(async () => (await linkCountIn(workspaceId)) === 1);
  const deadLetters = await fixture.models.deadLetters.find({ subject: 'events.link.created' }).sort({ _id: 1 }).lean();
  expect(
    deadLetters.map(({ payload }) => Buffer.from((payload as unknown as { buffer: Buffer }).buffer).toString()),
  ).toEqual(['{"no":"event"}', 'no JSON']);
});

test('an event of an unknown workspace is acknowledged and ignored', async () => {
  const workspaceId = newId('ws');
  const event = anEvent('link.created', workspaceId);
  await publish(event);
  await until(() => fixture.models.appliedEvents.exists({ _id: event.id }));
  const manager = await fixture.bus.jetstream().jetstreamManager();
  await until(async () => {
    const info = await manager.consumers.info('EVENTS', 'workspaces-link-created');
    return info.num_ack_pending === 0 && info.num_pending === 0;
  });
  expect(await fixture.models.workspaces.exists({ _id: workspaceId })).toBeNull();
});

test('markers of applied events expire one day after the stream discards the events', async () => {
  const indexes = await fixture.models.appliedEvents.collection.indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 8 * 86_400 }));
});
