import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { until } from '@tautan/kit/testing';
import { invalidations } from '@tautan/proto';
import { aPrincipal, as, startService, type TestService } from './testing/service.js';

let service: TestService;
let bus: Bus;
/** Workspaces whose gateways were told to ask anew. */
const dropped: string[] = [];

beforeAll(async () => {
  service = await startService();
  bus = new Bus({ url: service.servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  bus.listen(invalidations.entitlements, (told) => void dropped.push((told as { workspaceId: string }).workspaceId));
  await until(() => bus.connected);
  await until(async () => (await fetch(`${service.adminUrl}/readyz`)).ok);
});
afterAll(async () => {
  await bus.close();
  await service.stop();
});

const subscribed = (workspaceId: string, plan: string, at: string, type = 'subscription.updated') => ({
  id: newId('evt'),
  type,
  at,
  workspaceId,
  actor: { type: 'system', id: null, name: 'system' },
  requestId: null,
  ip: null,
  userAgent: null,
  target: { type: 'subscription', id: newId('sub'), label: plan },
  changes: {},
  data: {
    id: newId('sub'),
    plan,
    status: plan === 'FREE' ? 'canceled' : 'active',
    currency: 'IDR',
    currentPeriodStart: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    pendingPlan: null,
  },
});
/** Tells an event, and waits until it was dealt with. */
async function tell(event: ReturnType<typeof subscribed>): Promise<void> {
  const before = dropped.length;
  await bus.publish(`events.${event.type}`, JSON.stringify(event), { id: newId('evt') });
  await until(() => dropped.slice(before).includes(event.workspaceId));
}
const aWorkspace = async (plan: string) =>
  (await service.workspaces.call('CreateWorkspace', { name: 'Kopi', plan }, as())).id;
const planOf = async (workspaceId: string) =>
  (await service.workspaces.call('GetWorkspace', {}, as(aPrincipal({ workspaceId })))).plan;

test('a workspace is on the plan of its subscription, and gateways are told', async () => {
  const [id, other] = [await aWorkspace('FREE'), await aWorkspace('BUSINESS')];
  await tell(subscribed(id, 'PRO', '2030-01-01T00:00:00.000Z'));
  expect(await planOf(id)).toBe('PRO');
  await tell(subscribed(id, 'BUSINESS', '2030-02-01T00:00:00.000Z'));
  expect(await planOf(id)).toBe('BUSINESS');
  await tell(subscribed(id, 'FREE', '2030-03-01T00:00:00.000Z', 'subscription.canceled'));
  expect(await planOf(id)).toBe('FREE');
  expect(await planOf(other)).toBe('BUSINESS');
});

test('an event that comes late, or again, changes nothing', async () => {
  const id = await aWorkspace('FREE');
  const first = subscribed(id, 'PRO', '2030-01-01T00:00:00.000Z');
  await tell(subscribed(id, 'BUSINESS', '2030-02-01T00:00:00.000Z'));
  await tell(first);
  expect(await planOf(id)).toBe('BUSINESS');
  await tell(subscribed(id, 'FREE', '2030-03-01T00:00:00.000Z', 'subscription.canceled'));
  await tell(first);
  expect(await planOf(id)).toBe('FREE');
});
