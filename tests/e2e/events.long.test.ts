import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startDnsServer, type DnsServer } from '@tautan/kit/testing';
import type { ApiCheckout, ApiSubscription } from '../support/billing.js';
import {
  aLink,
  apiClient,
  aQrCode,
  type ApiLink,
  type ApiQrCode,
  type ApiTag,
  type Client,
} from '../support/client.js';
import { pointDns, type ApiDomain } from '../support/domains.js';
import type { ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { endPeriod, pay } from '../support/payments.js';
import { accepted, aPerson, aWorkspace, demoPerson, type ApiMember, type Person } from '../support/people.js';
import { verifySigned, type Received, type Receiver } from '../support/receiver.js';
import { planWith, startStack, type Stack } from '../support/stack.js';
import { recordEvents, type EventRecorder } from '../support/event-recorder.js';
import { visit } from '../support/visitor.js';

// Every event creates one delivery per subscriber and, unless it is a click, a scan or a test, one audit entry.
// `recorder.seen` collects the event types for the last test.
/** Soft limit on the clicks of the demo workspace. */
const CLICKS = 10;
let dns: DnsServer;
let stack: Stack;
let api: Client;
let owner: Person;
let recorder: EventRecorder;
let receiver: Receiver;
let endpoint: EndpointWithSecret;
const emittedOnce: EventRecorder['emittedOnce'] = (type, id) => recorder.emittedOnce(type, id);
const audited: EventRecorder['audited'] = (action, id) => recorder.audited(action, id);

beforeAll(async () => {
  dns = await startDnsServer();
  const env = { DNS_SERVERS: dns.address, EXPIRY_SWEEP_MS: '500', PLAN_BUSINESS: planWith({ clicks: CLICKS }) };
  stack = await startStack({ env });
  api = apiClient(stack);
  owner = await demoPerson(stack);
  recorder = await recordEvents(api);
  ({ receiver, endpoint } = recorder);
});
afterAll(async () => {
  await recorder?.stop();
  await stack?.stop();
  await dns?.stop();
});

describe('links', () => {
  test('emit link.created with the new link', async () => {
    const link = await aLink(api, { title: 'Promo', tags: ['acara'] });
    const { delivery, entry } = await emittedOnce('link.created', link.id);
    expect(delivery.event).toMatchObject({ workspaceId: (await stack.quickstart()).workspaceId, data: link });
    expect(entry).toMatchObject({ actor: { type: 'api_key' }, target: { type: 'link', label: link.slug } });
    expect(entry.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test('emit link.updated with the values before and after', async () => {
    const link = await aLink(api, { title: 'Lama' });
    const changed = accepted(await api.patch(`/links/${link.id}`, { title: 'Baru' }, { 'x-request-id': 'ubah-1' }));
    const { delivery, entry } = await emittedOnce('link.updated', link.id);
    expect(delivery.event.data).toEqual(changed);
    expect(delivery.event.changes).toMatchObject({ title: { before: 'Lama', after: 'Baru' } });
    expect(entry.changes).toMatchObject({ title: { before: 'Lama', after: 'Baru' } });
    expect(entry.requestId).toBe('ubah-1');
  });

  test('emit link.deleted with the id and slug', async () => {
    const link = await aLink(api);
    accepted(await api.delete(`/links/${link.id}`));
    expect((await emittedOnce('link.deleted', link.id)).delivery.event.data).toMatchObject({
      id: link.id,
      slug: link.slug,
    });
  });

  test('emit link.expired once when maxClicks is reached', async () => {
    const link = await aLink(api, { maxClicks: 1 });
    await visit(stack.baseUrl, `/${link.slug}`);
    // GET /links/{id} returns the status `expired` before the event is emitted, so poll the list.
    await eventually(
      async () => expect((await api.get<ApiLink[]>(`/links?status=expired&q=${link.slug}`)).data).toHaveLength(1),
      20_000,
    );
    const { entry } = await emittedOnce('link.expired', link.id);
    expect(entry.actor.type).toBe('system');
  });

  test('emit link.clicked without an audit entry', async () => {
    const link = await aLink(api);
    await visit(stack.baseUrl, `/${link.slug}`);
    const deliveries = () => receiver.of('link.clicked').filter(({ event }) => event.data['linkId'] === link.id);
    await eventually(() => expect(deliveries()).toHaveLength(1));
    verifySigned(deliveries()[0]!, endpoint.secret);
    recorder.seen.add('link.clicked');
    expect(deliveries()[0]!.event.data).toMatchObject({ linkId: link.id, source: 'link' });
    expect(await audited('link.clicked', link.id)).toEqual([]);
  });
});

describe('tags', () => {
  test('emit tag.created, tag.updated and tag.deleted', async () => {
    const tag = accepted(await api.post<ApiTag>('/tags', { name: 'musim semi' }));
    expect((await emittedOnce('tag.created', tag.id)).delivery.event.data).toEqual(tag);
    const renamed = accepted(await api.patch<ApiTag>(`/tags/${tag.id}`, { name: 'semi' }));
    const { delivery } = await emittedOnce('tag.updated', tag.id);
    expect(delivery.event).toMatchObject({ data: renamed, changes: { name: { before: 'musim semi', after: 'semi' } } });
    accepted(await api.delete(`/tags/${tag.id}`));
    await emittedOnce('tag.deleted', tag.id);
  });
});

describe('members', () => {
  test('emit member.invited, member.joined, member.role_changed and member.removed', async () => {
    const guest = await aPerson(stack);
    const { workspaceId } = await stack.quickstart();
    const manager = owner.in(workspaceId);
    const members = async () => accepted(await manager.get<ApiMember[]>('/workspaces/current/members'));
    const current = async () => (await members()).find((each) => each.email === guest.email);
    const { id } = accepted(
      await manager.post<ApiMember>('/workspaces/current/members', { email: guest.email, role: 'viewer' }),
    );
    const invited = await current();
    const invitation = await emittedOnce('member.invited', id);
    expect(invitation.delivery.event.data).toEqual(invited);
    expect(invitation.entry.actor).toMatchObject({ type: 'user' });
    accepted(await guest.api.get('/workspaces'));
    const joined = await eventually(async () => {
      const member = await current();
      expect(member?.status).toBe('active');
      return member!;
    });
    expect((await emittedOnce('member.joined', id)).delivery.event.data).toEqual(joined);
    accepted(await manager.patch(`/workspaces/current/members/${id}`, { role: 'member' }));
    const change = await emittedOnce('member.role_changed', id);
    expect(change.delivery.event.data).toEqual(await current());
    expect(change.entry.changes).toEqual({ role: { before: 'viewer', after: 'member' } });
    accepted(await manager.delete(`/workspaces/current/members/${id}`));
    expect((await emittedOnce('member.removed', id)).delivery.event.data).toEqual({ ...joined, role: 'member' });
  });
});

describe('QR codes', () => {
  const current = async (id: string) => accepted(await api.get<ApiQrCode>(`/qr-codes/${id}`));
  const changed = async (id: string, fields: object) => accepted(await api.patch<ApiQrCode>(`/qr-codes/${id}`, fields));
  const scan = ({ slug }: ApiQrCode) => visit(stack.baseUrl, `/${slug}`);

  test('emit qr_code.created, updated and deleted with the QR code that the API returns', async () => {
    const code = await aQrCode(api, { title: 'Lama', tags: ['acara'] });
    const creation = await emittedOnce('qr_code.created', code.id);
    expect(creation.delivery.event).toMatchObject({ workspaceId: (await stack.quickstart()).workspaceId, data: code });
    expect(creation.entry).toMatchObject({ actor: { type: 'api_key' }, target: { type: 'qr_code', label: 'Lama' } });
    const after = await changed(code.id, { title: 'Baru', tags: ['acara', 'poster'], styleConfig: { size: 700 } });
    await changed(code.id, { title: 'Baru' });
    const change = await emittedOnce('qr_code.updated', code.id);
    expect(change.delivery.event.data).toEqual(after);
    const changes = {
      title: { before: 'Lama', after: 'Baru' },
      tags: { before: ['acara'], after: ['acara', 'poster'] },
      styleConfig: { before: code.styleConfig, after: after.styleConfig },
    };
    expect(change.delivery.event.changes).toEqual(changes);
    expect(change.entry.changes).toEqual(changes);
    accepted(await api.delete(`/qr-codes/${code.id}`));
    expect((await emittedOnce('qr_code.deleted', code.id)).delivery.event.data).toEqual(after);
  });

  test('emit qr_code.expired once, with the system as the actor', async () => {
    // The QR code expires by date. If scans expired it, a scan could be counted after the event, and the QR code that
    // the API returns would then differ from the data of the event.
    const code = await aQrCode(api, { expiresAt: new Date(Date.now() + 1_500).toISOString() });
    await eventually(
      async () => expect((await api.get<ApiQrCode[]>(`/qr-codes?status=expired&q=${code.slug}`)).data).toHaveLength(1),
      20_000,
    );
    const { delivery, entry } = await emittedOnce('qr_code.expired', code.id);
    expect(delivery.event.data).toEqual(await current(code.id));
    expect(entry).toMatchObject({
      actor: { type: 'system' },
      changes: { status: { before: 'active', after: 'expired' } },
    });
  });

  test('emit qr_code.scanned, and link.clicked if the QR code follows a link, without an audit entry', async () => {
    const link = await aLink(api);
    const [alone, following] = [await aQrCode(api), await aQrCode(api, { linkId: link.id })];
    await scan(alone);
    await scan(following);
    const deliveriesOf = (type: string, id: string) =>
      receiver.of(type).filter(({ event }) => event.data['qrCodeId'] === id);
    await eventually(() => {
      expect(deliveriesOf('qr_code.scanned', alone.id)).toHaveLength(1);
      expect(deliveriesOf('qr_code.scanned', following.id)).toHaveLength(1);
      expect(deliveriesOf('link.clicked', following.id)).toHaveLength(1);
    });
    for (const delivery of deliveriesOf('qr_code.scanned', alone.id)) verifySigned(delivery, endpoint.secret);
    recorder.seen.add('qr_code.scanned');
    expect(deliveriesOf('qr_code.scanned', alone.id)[0]!.event.data).toMatchObject({ linkId: null, source: 'qr' });
    expect(deliveriesOf('qr_code.scanned', following.id)[0]!.event.data).toMatchObject({
      linkId: link.id,
      source: 'qr',
    });
    expect(deliveriesOf('link.clicked', alone.id)).toEqual([]);
    expect(await audited('qr_code.scanned', alone.id)).toEqual([]);
  });
});

describe('domains', () => {
  const verify = async ({ id }: ApiDomain) => accepted(await api.post<ApiDomain>(`/domains/${id}/verify`, undefined));

  test('emit domain.created, failed, verified, updated, failing and deleted', async () => {
    const domain = accepted(await api.post<ApiDomain>('/domains', { domain: 'go.acara.example' }));
    const creation = await emittedOnce('domain.created', domain.id);
    expect(creation.delivery.event.data).toEqual(domain);
    expect(creation.entry).toMatchObject({
      actor: { type: 'api_key' },
      target: { type: 'domain', label: domain.domain },
    });
    const failed = await verify(domain);
    const failure = await emittedOnce('domain.failed', domain.id);
    expect(failure.delivery.event.data).toEqual(failed);
    expect(failure.entry.changes).toMatchObject({ status: { before: 'pending', after: 'failed' } });
    pointDns(dns, domain);
    const verified = await verify(domain);
    const success = await emittedOnce('domain.verified', domain.id);
    expect(success.delivery.event.data).toEqual(verified);
    expect(success.entry.changes).toMatchObject({ status: { before: 'failed', after: 'verified' } });
    const updated = accepted(await api.patch<ApiDomain>(`/domains/${domain.id}`, { rootUrl: 'https://example.com/' }));
    const update = await emittedOnce('domain.updated', domain.id);
    expect(update.delivery.event.data).toEqual(updated);
    expect(update.entry.changes).toEqual({ rootUrl: { before: null, after: 'https://example.com/' } });
    dns.remove(domain.domain);
    const failing = await verify(domain);
    const warning = await emittedOnce('domain.failing', domain.id);
    expect(warning.delivery.event.data).toEqual(failing);
    expect(warning.entry.changes).toMatchObject({ lastError: { before: null, after: failing.lastError } });
    accepted(await api.delete(`/domains/${domain.id}`));
    expect((await emittedOnce('domain.deleted', domain.id)).delivery.event.data).toEqual(failing);
  });
});

describe('subscriptions', () => {
  test('emit subscription.updated and subscription.canceled', async () => {
    // Uses another workspace, because the demo workspace already has BUSINESS, which is higher than PRO.
    const { id: workspaceId } = await aWorkspace(owner);
    const buyer = owner.in(workspaceId);
    const listener = await recordEvents(buyer);
    const current = async () => accepted(await buyer.get<ApiSubscription>('/billing/subscription'));
    const expectSubscription = (part: Partial<ApiSubscription>) =>
      eventually(async () => expect(await current()).toMatchObject(part));
    await pay(accepted(await buyer.post<ApiCheckout>('/billing/checkout', { plan: 'PRO' })).checkoutUrl);
    await expectSubscription({ plan: 'PRO', status: 'active' });
    const active = await current();
    const update = await listener.emittedOnce('subscription.updated', active.id);
    expect(update.delivery.event.data).toEqual(active);
    expect(update.entry).toMatchObject({
      actor: { type: 'system' },
      changes: { plan: { before: 'FREE', after: 'PRO' } },
    });
    accepted(await buyer.post('/billing/cancel', undefined));
    await endPeriod(stack, workspaceId);
    await expectSubscription({ plan: 'FREE', status: 'canceled' });
    const { delivery, entry } = await listener.emittedOnce('subscription.canceled', active.id);
    expect(delivery.event.data).toEqual(await current());
    expect(entry.changes).toMatchObject({ status: { before: 'active', after: 'canceled' } });
    for (const type of listener.seen) recorder.seen.add(type);
    await listener.stop();
  });
});

describe('deliveries', () => {
  const listed = async (query: string) => accepted(await api.get<ApiDelivery[]>(`/webhooks/deliveries?${query}`));

  test('of webhook.test are created by testing an endpoint, without an audit entry', async () => {
    const { id } = accepted(await api.post<ApiDelivery>(`/webhooks/${endpoint.id}/test`, undefined));
    await eventually(() => expect(receiver.of('webhook.test')).toHaveLength(1));
    const [delivery] = receiver.of('webhook.test') as [Received];
    verifySigned(delivery, endpoint.secret);
    recorder.seen.add('webhook.test');
    const { body } = accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${id}`));
    expect(body).toBe(delivery.text);
    expect(accepted(await api.get('/webhooks'))).toContainEqual(delivery.event.data);
    expect(await audited('webhook.test', endpoint.id)).toEqual([]);
  });

  test('are listed newest first, paged by cursor and filtered by type', async () => {
    const first = await api.get<ApiDelivery[]>('/webhooks/deliveries?limit=3');
    expect(first.data).toHaveLength(3);
    const { page, cursor } = first.meta as typeof first.meta & { cursor: string };
    expect(page).toMatchObject({ limit: 3, hasMore: true, nextCursor: cursor });
    const second = await api.get<ApiDelivery[]>(`/webhooks/deliveries?limit=3&cursor=${cursor}`);
    // The ids begin with the times of the events.
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(ids).toEqual(ids.toSorted().reverse());
    const types = (await listed('type=tag.created')).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['tag.created']));
    const response = await api.get('/webhooks/deliveries?limit=101');
    expect([response.error?.code, response.error?.field]).toEqual(['VALIDATION_ERROR', 'limit']);
  });
});

test('emits usage.threshold_reached at 80% and at 100% of the soft limit', async () => {
  const { workspaceId } = await stack.quickstart();
  const link = await aLink(api);
  for (let i = 0; i < CLICKS; i += 1) await visit(stack.baseUrl, `/${link.slug}`);
  await eventually(() => Promise.resolve(expect(receiver.of('usage.threshold_reached')).toHaveLength(2)));
  const reached = receiver.of('usage.threshold_reached').map(({ event }) => event.data['threshold']);
  expect(new Set(reached)).toEqual(new Set([80, 100]));
  recorder.seen.add('usage.threshold_reached');
  await eventually(async () => {
    const entries = accepted(await api.get<{ target: { id: string } }[]>('/audit-log?action=usage.'));
    expect(entries.map(({ target }) => target.id)).toEqual([workspaceId, workspaceId]);
  });
});

test('every event type was emitted', async () => {
  const types = accepted(await api.get<{ type: string }[]>('/webhooks/event-types')).map(({ type }) => type);
  expect(types.filter((type) => !recorder.seen.has(type))).toEqual([]);
});
