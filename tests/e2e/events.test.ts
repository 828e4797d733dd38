import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type ApiTag, type Client } from '../support/client.js';
import type { ApiAuditEntry, ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { accepted, aPerson, demoPerson, type ApiMember, type Person } from '../support/people.js';
import { startReceiver, verifySigned, type Received, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// Contract parts 8 and 9: what the API causes is told once in the audit log and once to every subscriber.
let stack: Stack;
let api: Client;
let owner: Person;
let receiver: Receiver;
let endpoint: EndpointWithSecret;

beforeAll(async () => {
  stack = await startStack();
  api = apiClient(stack);
  owner = await demoPerson(stack);
  receiver = await startReceiver();
  endpoint = accepted(await api.post<EndpointWithSecret>('/webhooks', { url: receiver.url, events: ['*'] })); // prettier-ignore
}, 40_000);
afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
}, 30_000);

const audited = async (action: string, targetId: string) =>
  accepted(await api.get<ApiAuditEntry[]>(`/audit-log?action=${action}&limit=200`)).filter(({ target }) => target.id === targetId); // prettier-ignore

/** Types that the tests below have seen delivered. */
const seen = new Set<string>();

/** The one delivery of a type about a resource, signed; and the one audit entry of the same event. */
async function toldOnce(type: string, id: string): Promise<{ delivery: Received; entry: ApiAuditEntry }> {
  const about = () => receiver.of(type).filter(({ event }) => event.data['id'] === id);
  await eventually(() => expect(about()).toHaveLength(1));
  const [delivery] = about() as [Received];
  verifySigned(delivery, endpoint.secret);
  expect(delivery.headers['webhook-id']).toBe(delivery.event.id);
  seen.add(type);
  await eventually(async () => expect(await audited(type, id)).toHaveLength(1));
  const [entry] = (await audited(type, id)) as [ApiAuditEntry];
  expect(entry.id.slice(4)).toBe(delivery.event.id.slice(4));
  return { delivery, entry };
}

describe('links', () => {
  test('link.created', async () => {
    const link = await aLink(api, { title: 'Promo', tags: ['acara'] });
    const { delivery, entry } = await toldOnce('link.created', link.id);
    expect(delivery.event).toMatchObject({ workspaceId: (await stack.quickstart()).workspaceId, data: link });
    expect(entry).toMatchObject({ actor: { type: 'api_key' }, target: { type: 'link', label: link.slug } });
    expect(entry.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test('link.updated, with before and after', async () => {
    const link = await aLink(api, { title: 'Lama' });
    const changed = accepted(await api.patch(`/links/${link.id}`, { title: 'Baru' }, { 'x-request-id': 'ubah-1' }));
    const { delivery, entry } = await toldOnce('link.updated', link.id);
    expect(delivery.event.data).toEqual(changed);
    expect(delivery.event.changes).toMatchObject({ title: { before: 'Lama', after: 'Baru' } });
    expect(entry.changes).toMatchObject({ title: { before: 'Lama', after: 'Baru' } });
    expect(entry.requestId).toBe('ubah-1');
  });

  test('link.deleted', async () => {
    const link = await aLink(api);
    accepted(await api.delete(`/links/${link.id}`));
    expect((await toldOnce('link.deleted', link.id)).delivery.event.data).toMatchObject({ id: link.id, slug: link.slug }); // prettier-ignore
  });

  test('link.expired, once, at the last of maxClicks', async () => {
    const link = await aLink(api, { maxClicks: 1 });
    await visit(stack.baseUrl, `/${link.slug}`);
    await eventually(async () => expect((await api.get<ApiLink>(`/links/${link.id}`)).data.status).toBe('expired'), 20_000); // prettier-ignore
    const { entry } = await toldOnce('link.expired', link.id);
    expect(entry.actor.type).toBe('system');
  }, 40_000);

  test('link.clicked, without an audit entry', async () => {
    const link = await aLink(api);
    await visit(stack.baseUrl, `/${link.slug}`);
    const about = () => receiver.of('link.clicked').filter(({ event }) => event.data['linkId'] === link.id);
    await eventually(() => expect(about()).toHaveLength(1));
    verifySigned(about()[0]!, endpoint.secret);
    seen.add('link.clicked');
    expect(about()[0]!.event.data).toMatchObject({ linkId: link.id, source: 'link' });
    expect(await audited('link.clicked', link.id)).toEqual([]);
  });
});

describe('tags', () => {
  test('tag.created, tag.updated, tag.deleted', async () => {
    const tag = accepted(await api.post<ApiTag>('/tags', { name: 'musim semi' }));
    expect((await toldOnce('tag.created', tag.id)).delivery.event.data).toEqual(tag);
    const renamed = accepted(await api.patch<ApiTag>(`/tags/${tag.id}`, { name: 'semi' }));
    const { delivery } = await toldOnce('tag.updated', tag.id);
    expect(delivery.event).toMatchObject({ data: renamed, changes: { name: { before: 'musim semi', after: 'semi' } } });
    accepted(await api.delete(`/tags/${tag.id}`));
    await toldOnce('tag.deleted', tag.id);
  });
});

describe('members', () => {
  test('member.invited, member.joined, member.role_changed, member.removed', async () => {
    const guest = await aPerson(stack);
    const { workspaceId } = await stack.quickstart();
    const home = owner.in(workspaceId);
    const members = async () => accepted(await home.get<ApiMember[]>('/workspaces/current/members'));
    const shown = async () => (await members()).find((each) => each.email === guest.email);
    const { id } = accepted(await home.post<ApiMember>('/workspaces/current/members', { email: guest.email, role: 'viewer' })); // prettier-ignore
    const invited = await shown();
    const invitation = await toldOnce('member.invited', id);
    expect(invitation.delivery.event.data).toEqual(invited);
    expect(invitation.entry.actor).toMatchObject({ type: 'user' });
    accepted(await guest.api.get('/workspaces'));
    const joined = await eventually(async () => {
      const member = await shown();
      expect(member?.status).toBe('active');
      return member!;
    });
    expect((await toldOnce('member.joined', id)).delivery.event.data).toEqual(joined);
    accepted(await home.patch(`/workspaces/current/members/${id}`, { role: 'member' }));
    const change = await toldOnce('member.role_changed', id);
    expect(change.delivery.event.data).toEqual(await shown());
    expect(change.entry.changes).toEqual({ role: { before: 'viewer', after: 'member' } });
    accepted(await home.delete(`/workspaces/current/members/${id}`));
    expect((await toldOnce('member.removed', id)).delivery.event.data).toEqual({ ...joined, role: 'member' });
  });
});

describe('deliveries', () => {
  const listed = async (query: string) => accepted(await api.get<ApiDelivery[]>(`/webhooks/deliveries?${query}`));

  test('webhook.test', async () => {
    const { id } = accepted(await api.post<ApiDelivery>(`/webhooks/${endpoint.id}/test`, undefined));
    await eventually(() => expect(receiver.of('webhook.test')).toHaveLength(1));
    const [delivery] = receiver.of('webhook.test') as [Received];
    verifySigned(delivery, endpoint.secret);
    seen.add('webhook.test');
    const { body } = accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${id}`));
    expect(body).toBe(delivery.text);
    expect(accepted(await api.get('/webhooks'))).toContainEqual(delivery.event.data);
    expect(await audited('webhook.test', endpoint.id)).toEqual([]);
  });

  test('the list pages newest first by cursor, and filters', async () => {
    const first = await api.get<ApiDelivery[]>('/webhooks/deliveries?limit=3');
    expect(first.data).toHaveLength(3);
    const { page, cursor } = first.meta as typeof first.meta & { cursor: string };
    expect(page).toMatchObject({ limit: 3, hasMore: true, nextCursor: cursor });
    const second = await api.get<ApiDelivery[]>(`/webhooks/deliveries?limit=3&cursor=${cursor}`);
    expect(second.data.map(({ id }) => id)).not.toEqual(expect.arrayContaining(first.data.map(({ id }) => id)));
    for (const { type } of await listed('type=tag.created')) expect(type).toBe('tag.created');
    const answer = await api.get('/webhooks/deliveries?limit=101');
    expect([answer.error?.code, answer.error?.field]).toEqual(['VALIDATION_ERROR', 'limit']);
  });
});

test('every type was seen that anything here can cause', async () => {
  const types = accepted(await api.get<{ type: string }[]>('/webhooks/event-types')).map(({ type }) => type);
  expect(types.filter((type) => !seen.has(type) && !/^(qr_code|domain|subscription)\./.test(type))).toEqual([]);
});
