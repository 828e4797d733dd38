import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type Answer, type ApiLink, type ApiTag, type Client } from '../support/client.js';
import { accepted, aPerson, demoPerson, type ApiMember, type Person } from '../support/people.js';
import { startReceiver, verifySigned, type Received, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// Contract parts 8 and 9: what the API causes is told once in the audit log and once to every subscriber.
let stack: Stack;
let api: Client;
let owner: Person;
let receiver: Receiver;
let endpoint: ApiEndpoint & { secret: string };

interface ApiEndpoint {
  id: string;
  url: string;
  events: string[];
  active: boolean;
  disabledReason: string | null;
}

interface ApiAuditEntry {
  id: string;
  action: string;
  actor: { type: string; id: string; name: string };
  target: { type: string; id: string; label: string };
  changes: Record<string, { before: unknown; after: unknown }>;
  ip: string | null;
  requestId: string | null;
}

interface ApiDelivery {
  id: string;
  subscriptionId: string;
  eventId: string;
  type: string;
  status: string;
  attempts: number;
  body?: string;
  attemptLog?: { n: number; statusCode: number | null }[];
}

beforeAll(async () => {
  stack = await startStack();
  api = apiClient(stack);
  owner = await demoPerson(stack);
  receiver = await startReceiver();
  endpoint = accepted(await api.post<ApiEndpoint & { secret: string }>('/webhooks', { url: receiver.url, events: ['*'] })); // prettier-ignore
}, 40_000);
afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
}, 30_000);

const audited = async (action: string, targetId: string) =>
  accepted(await api.get<ApiAuditEntry[]>(`/audit-log?action=${action}&limit=200`)).filter(({ target }) => target.id === targetId); // prettier-ignore

/** The one delivery of a type about a resource, signed; and the one audit entry of the same event. */
async function toldOnce(type: string, id: string): Promise<{ delivery: Received; entry: ApiAuditEntry }> {
  const about = () => receiver.of(type).filter(({ event }) => event.data['id'] === id);
  await eventually(() => expect(about()).toHaveLength(1));
  const [delivery] = about() as [Received];
  verifySigned(delivery, endpoint.secret);
  expect(delivery.headers['webhook-id']).toBeDefined();
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
    const { id } = accepted(
      await home.post<ApiMember>('/workspaces/current/members', { email: guest.email, role: 'viewer' }),
    );
    expect((await toldOnce('member.invited', id)).entry.actor).toMatchObject({ type: 'user' });
    accepted(await guest.api.get('/workspaces'));
    expect((await toldOnce('member.joined', id)).delivery.event.data).toMatchObject({ email: guest.email, status: 'active' }); // prettier-ignore
    accepted(await home.patch(`/workspaces/current/members/${id}`, { role: 'member' }));
    const { entry } = await toldOnce('member.role_changed', id);
    expect(entry.changes).toEqual({ role: { before: 'viewer', after: 'member' } });
    accepted(await home.delete(`/workspaces/current/members/${id}`));
    await toldOnce('member.removed', id);
  });
});

describe('the audit log alone', () => {
  test('tells of keys, sessions, workspaces and endpoints, which no webhook does', async () => {
    const { workspaceId } = await stack.quickstart();
    const home = owner.in(workspaceId);
    const key = accepted(await home.post<{ id: string }>('/auth/api-keys', { label: 'Catatan' }));
    accepted(await home.delete(`/auth/api-keys/${key.id}`));
    accepted(await home.patch('/workspaces/current', { name: 'Demo' }));
    accepted(await home.patch('/workspaces/current', { name: 'Demo baru' }));
    const other = accepted(await api.post<ApiEndpoint>('/webhooks', { url: `${receiver.url}/2`, events: ['tag.created'] })); // prettier-ignore
    accepted(await api.patch(`/webhooks/${other.id}`, { active: false }));
    accepted(await api.delete(`/webhooks/${other.id}`));
    const expected: [string, string][] = [
      ['api_key.created', key.id],
      ['api_key.revoked', key.id],
      ['workspace.updated', workspaceId],
      ['webhook_endpoint.created', other.id],
      ['webhook_endpoint.updated', other.id],
      ['webhook_endpoint.deleted', other.id],
    ];
    for (const [action, id] of expected) {
      await eventually(async () => expect([action, (await audited(action, id)).length]).toEqual([action, 1]));
    }
    const types = new Set(receiver.received.map(({ event }) => event.type));
    for (const [action] of expected) expect(types).not.toContain(action);
  });

  test('tells of an export', async () => {
    const { workspaceId } = await stack.quickstart();
    expect((await api.get('/links/export?format=csv')).status).toBe(200);
    await eventually(async () => expect(await audited('export.performed', workspaceId)).toHaveLength(1));
  });

  test('is filtered by a whole action or a prefix', async () => {
    const actions = async (filter: string) => accepted(await api.get<ApiAuditEntry[]>(`/audit-log?action=${filter}`)).map(({ action }) => action); // prettier-ignore
    expect(new Set(await actions('tag.created'))).toEqual(new Set(['tag.created']));
    const links = new Set(await actions('link.'));
    expect(links.size).toBeGreaterThan(1);
    for (const action of links) expect(action).toMatch(/^link\./);
  });
});

describe('deliveries', () => {
  const refusal = ({ status, error }: Answer<unknown>) => [status, error?.code];
  const listed = async (query: string) => accepted(await api.get<ApiDelivery[]>(`/webhooks/deliveries?${query}`));

  test('webhook.test goes to one endpoint, whatever it subscribes to', async () => {
    accepted(await api.post(`/webhooks/${endpoint.id}/test`, undefined));
    await eventually(() => expect(receiver.of('webhook.test')).toHaveLength(1));
    verifySigned(receiver.of('webhook.test')[0]!, endpoint.secret);
  });

  test('a delivery shows the body as it was sent, and every attempt; the listing leaves them out', async () => {
    await eventually(async () => expect((await listed('type=webhook.test&status=succeeded')).length).toBe(1));
    const [row] = (await listed('type=webhook.test')) as [ApiDelivery];
    expect(row).not.toHaveProperty('body');
    const delivery = accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${row.id}`));
    expect(delivery.body).toBe(receiver.of('webhook.test')[0]!.text);
    expect(delivery.attemptLog).toMatchObject([{ n: 1, statusCode: 204 }]);
    expect(delivery.subscriptionId).toBe(endpoint.id);
  });

  test('a retry sends it again under the same webhook-id; a pending one is ALREADY_QUEUED, of a paused endpoint ENDPOINT_DISABLED', async () => {
    const [{ id }] = (await listed('type=webhook.test')) as [ApiDelivery];
    const release = receiver.hold();
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.post(`/webhooks/deliveries/${id}/retry`, undefined))); // prettier-ignore
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 202)) expect(refusal(answer)).toEqual([409, 'ALREADY_QUEUED']); // prettier-ignore
    release();
    await eventually(() => expect(receiver.of('webhook.test')).toHaveLength(2));
    const ids = receiver.of('webhook.test').map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    await eventually(async () => expect((await listed('type=webhook.test'))[0]!.status).toBe('succeeded'));
    accepted(await api.patch(`/webhooks/${endpoint.id}`, { active: false }));
    expect(refusal(await api.post(`/webhooks/deliveries/${id}/retry`, undefined))).toEqual([409, 'ENDPOINT_DISABLED']);
    accepted(await api.patch(`/webhooks/${endpoint.id}`, { active: true }));
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
