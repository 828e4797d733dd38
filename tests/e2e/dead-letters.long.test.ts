import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { until } from '@tautan/kit/testing';
import { MongoClient } from 'mongodb';
import { tautanAdmin } from '../support/admin.js';
import { aLink, apiClient, type ApiLink } from '../support/client.js';
import { accepted } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// These tests list, show and replay dead letters with tautan-admin, as operators do in the pod of a service.

const admin = (service: string, ...args: string[]) => tautanAdmin(stack, service, ...args);

const subjects = [
  ['links', 'clicks.3'],
  ['qr', 'events.tag.deleted'],
  ['webhooks', 'events.tag.deleted'],
  ['workspaces', 'events.link.created'],
] as const;
/**
 * The payload of a broken message, by service. The messages are published before the tests, because a message is
 * dead-lettered only after several redeliveries.
 */
const broken = new Map(subjects.map(([service]) => [service, `{"broken":"${randomUUID()}`]));

let stack: Stack;
let bus: Bus;
beforeAll(async () => {
  stack = await startStack();
  bus = new Bus({ url: (await stack.quickstart()).nats.url, name: 'test', log: createLog('test', 'silent') });
  await until(() => bus.connected);
  for (const [service, subject] of subjects) await bus.publish(subject, broken.get(service)!, { id: newId('evt') });
});
afterAll(async () => {
  await bus?.close();
  await stack?.stop();
});

interface Letters {
  deadLetters: { id: string; subject: string; reason: string }[];
}
const lettersOf = async (service: string) =>
  (await admin(service, 'dead-letters', 'list', '--json')).json<Letters>().deadLetters;

test.each(subjects.map(([service]) => service))(
  'dead letters of %s are listed and shown, and kept if their replay fails',
  async (service) => {
    const text = broken.get(service);
    const payloadOf = async (id: string) =>
      (await admin(service, 'dead-letters', 'show', id, '--json')).json<{ payload: string }>().payload;
    const letter = await until(async () => {
      for (const found of await lettersOf(service)) if ((await payloadOf(found.id)) === text) return found;
      // Each command starts a process.
      await sleep(1_000);
      return undefined;
    }, 90_000);
    expect(letter.reason).not.toBe('');
    const replayed = await admin(service, 'dead-letters', 'replay', letter.id);
    expect(replayed.code).toBe(1);
    expect(replayed.stdout).toContain(`${letter.id}  The message failed again: `);
    expect(await lettersOf(service)).toContainEqual(letter);
    expect(await admin(service, 'dead-letters', 'replay', newId('evt'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No dead letter with the id'),
    });
    expect((await admin(service, 'dead-letters', 'replay')).code).toBe(2);
  },
  120_000,
);

test('two dead letters that hold the same batch of clicks add its clicks only once when both are replayed', async () => {
  const { mongodb } = await stack.quickstart();
  const link = await aLink(apiClient(stack), { slug: 'replayed' });
  const client = await MongoClient.connect(mongodb.uri);
  const letters = client.db(`${stack.databasePrefix}tautan_links`).collection<{ _id: string }>('dead_letters');
  const batches: { subject: string; payload: Buffer }[] = [];
  bus.listen('clicks.*', (batch) => void batches.push({ subject: '', payload: Buffer.from(JSON.stringify(batch)) }));
  await visit(stack.baseUrl, '/replayed');
  const clicks = async () => accepted(await apiClient(stack).get<ApiLink>(`/links/${link.id}`)).clickCount;
  await until(async () => (await clicks()) === 1);
  const batch = await until(() => batches.find(({ payload }) => payload.includes(link.id)));
  // A copy of the batch with a new id, so that it has not been applied yet.
  const parsed = JSON.parse(batch.payload.toString()) as { id: string };
  const payload = Buffer.from(JSON.stringify({ ...parsed, id: newId('evt').slice(4) }));
  const insertLetter = async (_id: string) =>
    letters.insertOne({ _id, subject: 'clicks.0', payload, reason: 'broken', at: new Date() } as { _id: string });
  for (const id of ['01', '02']) {
    await insertLetter(id);
    expect(await admin('links', 'dead-letters', 'replay', id)).toMatchObject({ code: 0 });
    expect(await letters.countDocuments({ _id: id })).toBe(0);
  }
  await until(async () => (await clicks()) === 2);
  await client.close();
});
