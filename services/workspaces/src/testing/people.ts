import { createLog, newId, newUlid, type Principal } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { collectEvents, eventually, until } from '@tautan/kit/testing';
import { invalidations, parseEvent, type TautanEvent } from '@tautan/proto';
import mongoose from 'mongoose';
import { createModels } from '../store/models.js';
import { emailOf, TestProvider } from './provider.js';
import { aPrincipal, as, startService } from './service.js';

export type ServiceWithProvider = Awaited<ReturnType<typeof startWithProvider>>;
export type TestPerson = Awaited<ReturnType<ServiceWithProvider['aPerson']>>;

interface Caller {
  by(workspaceId: string, role: Principal['role']): ReturnType<typeof as>;
}

const ISSUER = 'https://id.example.com';

/** Starts the service with an identity provider. There are no users until the test creates them with `aPerson`. */
export async function startWithProvider(settings: Record<string, string> = {}) {
  const provider = await new TestProvider().start();
  const allSettings = {
    IDENTITY_URL: provider.url,
    IDENTITY_AUDIENCE: 'https://go.example.com/api/v1',
    IDENTITY_CLIENT_ID: 'tautan',
    IDENTITY_TIMEOUT_MS: '1200',
    PLAN_FREE: '{"limits":{"members":null}}',
    ...settings,
  };
  const service = await startService(allSettings);
  const { mongodbUri, database: dbName, natsUrl } = service.servers;
  const connection = await mongoose.createConnection(mongodbUri, { dbName, autoIndex: false }).asPromise();
  const models = createModels(connection);
  const bus = new Bus({ url: natsUrl, name: 'test', log: createLog('test', 'silent') });
  /** Keys and users named in the invalidations that make the gateways drop cached credentials. */
  const invalidated = { apiKeyIds: new Set<string>(), userIds: new Set<string>() };
  const events = collectEvents(bus, 'events.>', parseEvent);
  bus.listen(invalidations.credential, (message) => {
    const { apiKeyIds = [], userIds = [] } = message as { apiKeyIds?: string[]; userIds?: string[] };
    for (const id of apiKeyIds) invalidated.apiKeyIds.add(id);
    for (const id of userIds) invalidated.userIds.add(id);
  });
  await until(() => bus.connected);
  await until(async () => (await fetch(`${service.adminUrl}/readyz`)).ok);

  /** Creates a user who has signed in and has no workspace. */
  const aPerson = async (subject = newId('usr').slice(4)) => {
    const user = {
      _id: newId('usr'),
      issuer: ISSUER,
      subject,
      email: emailOf(subject),
      emailVerified: true,
      name: 'Sari',
      lastWorkspaceId: null,
      syncedAt: null,
      createdAt: new Date(),
    };
    await models.users.insertMany([user]);
    const credential = `token-${subject}`;
    const by = (workspaceId = '', role: Principal['role'] = 'viewer') =>
      as(aPrincipal({ id: user._id, name: user.name, workspaceId, role }));
    return {
      ...user,
      credential,
      by,
      create: (name = 'Kopi') => service.workspaces.call('CreateOwnWorkspace', { credential, name }, by()),
      list: async () => (await service.workspaces.call('ListWorkspaces', { credential }, by())).workspaces,
      members: async (workspaceId: string) =>
        (await service.members.call('ListMembers', { credential }, by(workspaceId))).members,
      invite: (workspaceId: string, email: string, role = 'member') =>
        service.members.call('InviteMember', { credential, email, role }, by(workspaceId)),
      changeRole: (workspaceId: string, id: string, role: string) =>
        service.members.call('ChangeMemberRole', { credential, id, role }, by(workspaceId)),
      remove: async (workspaceId: string, id: string): Promise<void> =>
        void (await service.members.call('RemoveMember', { credential, id }, by(workspaceId))),
      rename: (workspaceId: string, name: string) =>
        service.workspaces.call('UpdateWorkspace', { credential, name }, by(workspaceId)),
      switchTo: (workspaceId: string) => service.workspaces.call('SwitchWorkspace', { workspaceId }, by()),
    };
  };

  return {
    service,
    provider,
    models,
    connection,
    bus,
    invalidated,
    aPerson,
    /** Returns the member usage that the service reports. */
    usageOf: async (workspaceId: string): Promise<number> =>
      (await service.usage.call('GetUsage', {}, as(aPrincipal({ workspaceId })))).used['members']!,
    /** Returns the number of stored members and open invitations. */
    memberCountOf: (workspaceId: string): Promise<number> => models.members.countDocuments({ workspaceId }).exec(),
    /** Returns the workspace at the identity provider. */
    providedOf: async (workspaceId: string) =>
      provider.workspaces.get((await models.workspaces.findById(workspaceId).lean())!.externalId!)!,
    /** Backdates the members, so that the provider's next response supersedes them. */
    backdateMembers: (workspaceId: string) =>
      models.members.updateMany({ workspaceId }, { $set: { asOf: new Date(0) } }),
    /** Mints a key as a user of a workspace. */
    mintKey: async (person: Caller, workspaceId: string): Promise<{ id: string; key: string; prefix: string }> =>
      service.apiKeys.call('MintApiKey', { workspaceId, label: 'CI' }, person.by(workspaceId, 'admin')),
    /** Starts another replica on the same servers. The test must stop the replica. */
    aReplica: () => startService(allSettings, { servers: service.servers }),
    /** Returns the types of a workspace's events so far, in the order of their creation. */
    eventTypes: (workspaceId: string): string[] =>
      events
        .filter((event) => event.workspaceId === workspaceId)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ type }) => type),
    /** Waits for an event of this type about an entity, and returns it. */
    eventAbout: (id: string, type: string): Promise<TautanEvent> =>
      until(() => events.find((event) => event.target.id === id && event.type === type)),
    /** Restores the provider and waits until the circuit breaker has closed. */
    recover: async (): Promise<void> => {
      provider.behavior = 'up';
      const someone = await aPerson();
      await eventually(() => someone.create());
    },
    stop: async (): Promise<void> => {
      await bus.close();
      await connection.dropDatabase();
      await connection.close();
      await service.stop();
      await provider.stop();
    },
  };
}

/** Returns a unique email address. */
export const anEmail = (): string => `${newUlid()}@example.com`;

/** Creates a user with their own workspace, and a second user who has joined it. */
export async function aTeam(fixture: ServiceWithProvider, role = 'member') {
  const [owner, other] = [await fixture.aPerson(), await fixture.aPerson()];
  const workspace = await owner.create();
  const { id } = await owner.invite(workspace.id, other.email, role);
  await other.list();
  return { owner, other, workspaceId: workspace.id, memberId: id };
}
