import { createLog, newId } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { collectEvents, startServers, until } from '@tautan/kit/testing';
import { invalidations, parseEvent } from '@tautan/proto';
import mongoose from 'mongoose';
import { createModels } from '../store/models.js';
import { aPrincipal, as, startService, type TestService } from './service.js';

export type PlanFixture = Awaited<ReturnType<typeof startPlanFixture>>;
/** The fields of a subscription event that a test sets. */
export type SubscriptionFields = { plan: string; version?: number; at?: string };

/** Starts a service that can be restarted with other settings, and records its workspace events. */
export async function startPlanFixture() {
  const servers = await startServers();
  const connection = await mongoose.createConnection(servers.mongodbUri, { dbName: servers.database }).asPromise();
  const bus = new Bus({ url: servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  /** Workspaces whose entitlements the gateways were notified to reload, in order. */
  const invalidated: string[] = [];
  const events = collectEvents(bus, 'events.workspace.*', parseEvent);
  bus.listen(
    invalidations.entitlements,
    (message) => void invalidated.push((message as { workspaceId: string }).workspaceId),
  );
  await until(() => bus.connected);

  const replicas: TestService[] = [];
  const startReplica = async (settings: Record<string, string> = {}): Promise<TestService> => {
    const service = await startService(settings, { servers });
    replicas.push(service);
    await until(async () => (await fetch(`${service.adminUrl}/readyz`)).ok);
    return service;
  };
  let service = await startReplica();

  const planOf = async (workspaceId: string) =>
    (await service.workspaces.call('GetWorkspace', {}, as(aPrincipal({ workspaceId })))).plan;
  const publish = async (workspaceId: string, fields: SubscriptionFields): Promise<void> => {
    const event = aSubscriptionEvent(workspaceId, fields);
    await bus.publish(`events.${event.type}`, JSON.stringify(event), { id: newId('evt') });
  };
  return {
    invalidated,
    models: createModels(connection),
    /** Starts another replica, which stops with the fixture. */
    startReplica,
    planOf,
    publish,
    get service() {
      return service;
    },
    restart: async (settings: Record<string, string>): Promise<void> => {
      await service.stop();
      service = await startReplica(settings);
    },
    create: async (plan = '') => (await service.operators.call('CreateWorkspace', { name: 'Kopi', plan }, as())).id,
    /** Sets a plan and waits until the gateways are notified. */
    setPlan: async (workspaceId: string, plan: string) => {
      const before = invalidated.length;
      const workspace = await service.operators.call('SetPlan', { workspaceId, plan }, as());
      await until(() => invalidated.slice(before).includes(workspaceId));
      return workspace;
    },
    /** Publishes an event, waits until it is processed, and returns the plan. */
    publishAndWait: async (workspaceId: string, fields: SubscriptionFields): Promise<string> => {
      const before = invalidated.length;
      await publish(workspaceId, fields);
      await until(() => invalidated.slice(before).includes(workspaceId));
      return planOf(workspaceId);
    },
    /** Returns the type, plan version, plan and changes of each event of a workspace, in order. */
    announced: (workspaceId: string) =>
      events
        .filter((event) => event.workspaceId === workspaceId)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ type, version, data, changes }) => ({ type, version, plan: (data as { plan: string }).plan, changes })),
    stop: async (): Promise<void> => {
      for (const replica of replicas) await replica.stop();
      await bus.close();
      await connection.close();
      await servers.stop();
    },
  };
}

function aSubscriptionEvent(workspaceId: string, { plan, version, at = new Date().toISOString() }: SubscriptionFields) {
  const isOver = plan === 'FREE';
  return {
    id: newId('evt'),
    type: isOver ? 'subscription.canceled' : 'subscription.updated',
    at,
    workspaceId,
    ...(version !== undefined && { version }),
    actor: { type: 'system', id: null, name: 'system' },
    requestId: null,
    ip: null,
    userAgent: null,
    target: { type: 'subscription', id: newId('sub'), label: plan },
    changes: {},
    data: {
      id: newId('sub'),
      plan,
      status: isOver ? 'canceled' : 'active',
      currency: 'IDR',
      currentPeriodStart: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
      pendingPlan: null,
    },
  };
}
