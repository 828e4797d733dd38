import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { clickPartition, clickSubject, eventCatalog, type ClickBatch } from '@tautan/proto';
import { Receiver, verify } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

const BACKLOG = 50;

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService({ CLICK_BACKLOG: `${BACKLOG}` });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

let paths = 0;
const aPath = (kind = 'hook'): string => `/${kind}/${(paths += 1)}`;
const ids = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id']!);

interface Visit {
  linkId?: string | null;
  qrId?: string;
  bot?: boolean;
}

/** Returns a batch of clicks in one workspace, as the redirect role of the link service publishes them. */
function aBatch(workspaceId: string, visits: Visit[]): ClickBatch {
  const texts: string[] = [];
  const index = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const clicks = visits.map(({ linkId = 'lnk_1', qrId, bot }, i): ClickBatch['clicks'][number] => [
    i,
    linkId === null ? -1 : index(linkId),
    qrId ? index(qrId) : -1,
    index(workspaceId),
    bot ? 'b' : 'h',
    index('Mozilla/5.0'),
    index('news.example.com'),
    index('ID'),
    index(''),
    index('visitor-hash'),
    qrId ? 'q' : 'l',
  ]);
  return { v: 1, id: newUlid(), base: Date.now(), texts, clicks };
}
const publish = async (batch: ClickBatch, id = batch.id) => {
  await service.bus.publish(clickSubject(clickPartition(batch.id)), JSON.stringify(batch), { id });
};
/** Publishes to a fixed partition, so that batches are processed in the order of their publication. */
const publishInOrder = async (batch: ClickBatch) => {
  await service.bus.publish(clickSubject(0), JSON.stringify(batch), { id: batch.id });
};

describe('clicks', () => {
  test('of humans are delivered once to the endpoints that subscribe to them, and those of bots are not delivered', async () => {
    const caller = service.as();
    const [path, other] = [aPath(), aPath()];
    const { secret } = await caller.anEndpoint(receiver.url(path), ['link.clicked']);
    await caller.anEndpoint(receiver.url(other), ['link.created']);
    const linkId = newId('lnk');
    const batch = aBatch(caller.workspaceId, [{ linkId }, { linkId, bot: true }, { linkId }]);
    await publish(batch);
    await until(() => receiver.at(path).length === 2);
    const [first] = receiver.at(path);
    const { type, data, workspaceId } = verify(secret, first!) as { type: string; data: unknown; workspaceId: string };
    expect({ type, workspaceId }).toEqual({ type: 'link.clicked', workspaceId: caller.workspaceId });
    expect(data).toEqual({
      linkId,
      qrCodeId: null,
      source: 'link',
      clickedAt: expect.any(String),
      country: 'ID',
      city: null,
      referrer: 'news.example.com',
      userAgent: 'Mozilla/5.0',
    });
    expect(first!.body).not.toContain('visitor-hash');
    expect(eventCatalog['link.clicked'].data.parse(data)).toEqual(data);
    expect(receiver.at(other)).toEqual([]);
  });

  test('in many small batches are queued together', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path), ['link.clicked']);
    const batches = Array.from({ length: BACKLOG - 10 }, () => aBatch(caller.workspaceId, [{}]));
    await Promise.all(batches.map(publishInOrder));
    await until(() => receiver.at(path).length === batches.length);
    // Deliveries that are queued together have the same creation time.
    const times = await service.models.deliveries.distinct('createdAt', { workspaceId: caller.workspaceId });
    expect(times.length).toBeLessThan(batches.length / 4);
  });

  test('of a redelivered batch are delivered once', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path), ['*']);
    const batch = aBatch(
      caller.workspaceId,
      Array.from({ length: 10 }, () => ({})),
    );
    for (let i = 0; i < 4; i += 1) await publish(batch, `${batch.id}-${i}`);
    const last = aBatch(caller.workspaceId, [{}]);
    await publish(last);
    await until(() => receiver.at(path).length >= 11);
    await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 11);
    expect(new Set(ids(path)).size).toBe(11);
    expect(receiver.at(path)).toHaveLength(11);
  });

  test('that come from a QR code are delivered as qr_code.scanned, and also as link.clicked if the code belongs to a link', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path), ['*']);
    const [linkId, qrId] = [newId('lnk'), newId('qr')];
    await publish(
      aBatch(caller.workspaceId, [
        { linkId, qrId },
        { linkId: null, qrId },
      ]),
    );
    await until(() => receiver.at(path).length === 3);
    const bodies = receiver
      .at(path)
      .map(({ body }) => JSON.parse(body) as { type: string; data: { source: string; linkId: string | null } });
    expect(bodies.map(({ type }) => type).sort()).toEqual(['link.clicked', 'qr_code.scanned', 'qr_code.scanned']);
    expect(bodies.every(({ data }) => data.source === 'qr')).toBe(true);
    expect(bodies.map(({ data }) => data.linkId)).toEqual(expect.arrayContaining([linkId, linkId, null]));
    expect(new Set(ids(path)).size).toBe(3);
  });

  test('are delivered only while an endpoint subscribes to them', async () => {
    const caller = service.as();
    const path = aPath();
    const click = () => publishInOrder(aBatch(caller.workspaceId, [{}]));
    // Once this workspace's click is delivered, the click that was published earlier has been processed too.
    const witness = service.as();
    const witnessPath = aPath();
    await witness.anEndpoint(receiver.url(witnessPath), ['link.clicked']);
    await click();
    await publishInOrder(aBatch(witness.workspaceId, [{}]));
    await until(() => receiver.at(witnessPath).length === 1);
    const { id } = await caller.anEndpoint(receiver.url(path), ['link.clicked']);
    await click();
    await until(() => receiver.at(path).length === 1);
    await caller.call('UpdateEndpoint', { id, events: { types: ['tag.created'] } });
    await click();
    await service.publish(anEvent(caller.workspaceId));
    await until(() => receiver.at(path).length === 2);
    await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 2);
    expect((await caller.deliveries({ type: 'link.clicked' })).length).toBe(1);
  });

  test('without subscribers create no deliveries', async () => {
    const caller = service.as();
    const before = await service.models.deliveries.estimatedDocumentCount();
    for (let i = 0; i < 20; i += 1) await publishInOrder(aBatch(caller.workspaceId, [{}, {}]));
    const witness = service.as();
    const path = aPath();
    await witness.anEndpoint(receiver.url(path), ['link.clicked']);
    await publishInOrder(aBatch(witness.workspaceId, [{}]));
    await until(() => receiver.at(path).length === 1);
    expect(await service.models.deliveries.estimatedDocumentCount()).toBe(before + 1);
  });

  test('beyond the backlog of an endpoint are skipped and counted, and do not delay other events', async () => {
    const caller = service.as();
    const path = aPath('hang');
    receiver.respond = (request, response) => {
      if (!request.path.startsWith('/hang')) response.writeHead(200).end();
    };
    await caller.anEndpoint(receiver.url(path), ['*']);
    for (let i = 0; i < 10; i += 1)
      await publish(
        aBatch(
          caller.workspaceId,
          Array.from({ length: 20 }, () => ({})),
        ),
      );
    const queued = () => service.models.deliveries.countDocuments({ workspaceId: caller.workspaceId });
    await until(async () => (await service.metric('tautan_webhook_clicks_left_out_total')) + (await queued()) === 200);
    expect(await queued()).toBe(BACKLOG);
    await service.publish(anEvent(caller.workspaceId));
    await until(async () => (await caller.deliveries({ type: 'tag.created' })).length === 1);
  });

  test('in a malformed message are dead-lettered, and others are delivered', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path), ['link.clicked']);
    const bad = { ...aBatch(caller.workspaceId, [{}]), texts: [caller.workspaceId] };
    for (const payload of ['{', '{}', 'null', JSON.stringify(bad)]) {
      await service.bus.publish(clickSubject(3), payload, { id: newUlid() });
    }
    const good = aBatch(caller.workspaceId, [{}]);
    await service.bus.publish(clickSubject(3), JSON.stringify(good), { id: good.id });
    await until(() => receiver.at(path).length === 1);
    // `bad` is not dead-lettered: its click refers to a workspace beyond the end of `texts`, so the batch has no
    // subscribers and is not validated.
    await until(async () => (await service.models.deadLetters.countDocuments()) >= 3, 90_000);
  }, 100_000);
});
