import { expect, test } from '@jest/globals';
import type { PlanName, TautanEvent } from '@tautan/proto';
import { noPlanSources, type PlanSources } from '../domain/workspace-plan.js';
import { applyDefaultPlan } from './apply-default-plan.js';
import { applySubscriptionEvents } from './apply-subscription-events.js';

interface TestWorkspace {
  _id: string;
  name: string;
  createdAt: Date;
  plan: PlanName;
  planSources: PlanSources;
  planVersion: number;
  announcedPlan: PlanName;
}

const aWorkspace = (_id: string, fields: Partial<TestWorkspace> = {}): TestWorkspace => ({
  ...{ _id, name: 'Kopi', createdAt: new Date(0), plan: 'FREE', planSources: noPlanSources },
  ...{ planVersion: 1, announcedPlan: 'FREE' },
  ...fields,
});

/** Dependencies with workspaces, where `defaultPlan` is the plan of those without their own. */
function dependencies(workspaces: TestWorkspace[], defaultPlan: PlanName = 'FREE') {
  const stored = new Map(workspaces.map((workspace) => [workspace._id, workspace]));
  const emitted: string[] = [];
  const notified: string[] = [];
  const deps = {
    workspaces: {
      find: async (id: string) => stored.get(id) ?? null,
      findUnannounced: async (limit: number) =>
        [...stored.values()].filter(({ announcedPlan }) => announcedPlan !== defaultPlan).slice(0, limit),
      writePlan: async (workspace: TestWorkspace) => void stored.set(workspace._id, workspace),
    },
    defaultPlan,
    transact: (_by: unknown, work: (tx: object) => unknown) =>
      work({ emit: ({ type, target }: TautanEvent) => void emitted.push(`${type} ${target.id}`) }),
    invalidateEntitlements: (id: string) => void notified.push(id),
  };
  const plans = () => Object.fromEntries([...stored.values()].map(({ _id, plan }) => [_id, plan]));
  return { deps: deps as never, emitted, notified, plans };
}

test.each([0, 49, 50, 120])(
  'a new default plan is applied to all %d workspaces without their own plan',
  async (count) => {
    const workspaces = Array.from({ length: count }, (_, i) => aWorkspace(`ws_${i}`));
    const ids = workspaces.map(({ _id }) => _id);
    const { deps, emitted, notified, plans } = dependencies(workspaces, 'PRO');
    await applyDefaultPlan(deps);
    expect(plans()).toEqual(Object.fromEntries(ids.map((id) => [id, 'PRO'])));
    expect(emitted).toEqual(ids.map((id) => `workspace.updated ${id}`));
    expect(notified).toEqual(ids);
  },
);

const anEvent = (workspaceId: string, version: number, plan: PlanName) =>
  ({
    workspaceId,
    version,
    at: '2030-01-01T00:00:00.000Z',
    data: { plan, status: 'active' },
  }) as unknown as TautanEvent<'subscription.updated'>;

test('each event is applied to its own workspace, where the newest event determines the plan', async () => {
  const { deps, emitted, notified, plans } = dependencies(['ws_1', 'ws_2', 'ws_3'].map((id) => aWorkspace(id)));
  await applySubscriptionEvents(deps, [
    anEvent('ws_1', 1, 'BUSINESS'),
    anEvent('ws_2', 5, 'BUSINESS'),
    anEvent('ws_2', 4, 'PRO'),
    anEvent('ws_1', 2, 'PRO'),
    anEvent('ws_deleted', 1, 'PRO'),
  ]);
  expect(plans()).toEqual({ ws_1: 'PRO', ws_2: 'BUSINESS', ws_3: 'FREE' });
  expect(emitted.toSorted()).toEqual(['workspace.updated ws_1', 'workspace.updated ws_2']);
  expect(notified.toSorted()).toEqual(['ws_1', 'ws_2', 'ws_deleted']);
});

test('a redelivered event changes nothing, but notifies the gateways again', async () => {
  const { deps, emitted, notified, plans } = dependencies([aWorkspace('ws_1')]);
  await applySubscriptionEvents(deps, [anEvent('ws_1', 2, 'PRO')]);
  await applySubscriptionEvents(deps, [anEvent('ws_1', 2, 'PRO')]);
  await applySubscriptionEvents(deps, [anEvent('ws_1', 1, 'BUSINESS')]);
  expect(plans()).toEqual({ ws_1: 'PRO' });
  expect(emitted).toEqual(['workspace.updated ws_1']);
  expect(notified).toEqual(['ws_1', 'ws_1', 'ws_1']);
});
