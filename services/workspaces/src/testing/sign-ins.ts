import { createLog } from '@tautan/kit';
import { Bus, consume } from '@tautan/kit/bus';
import { startServers, until } from '@tautan/kit/testing';
import { invalidations, parseEvent, type TautanEvent } from '@tautan/proto';
import mongoose from 'mongoose';
import { startOidc, type TestPerson } from './oidc.js';
import { aPrincipal, as, startService, untilReady } from './service.js';

export type SignIns = Awaited<ReturnType<typeof startSignIns>>;

// A long timeout, because a busy machine would otherwise look like a slow provider.
const patient = { IDENTITY_TIMEOUT_MS: '5000' };

export const redirectUri = 'https://tautan.test/api/v1/auth/callback';

/** Starts the service with an OpenID provider and an adjustable clock. */
export async function startSignIns(replicas = 1) {
  const [oidc, servers] = await Promise.all([startOidc(), startServers()]);
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const services = await Promise.all(
    Array.from({ length: replicas }, () => startService({ ...oidc.settings(), ...patient }, { servers, now })),
  );
  const { mongodbUri, database: dbName, natsUrl } = servers;
  const database = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
  const events = await listen(natsUrl, dbName);
  for (const each of services) await untilReady(each);
  const [service] = services as [(typeof services)[0]];

  const userOf = (subject: string) => database.collection('users').findOne({ subject });
  return {
    oidc,
    services,
    service,
    /** Starts one more replica, with additional settings. The caller must stop it. */
    anotherReplica: (settings: Record<string, string>) =>
      startService({ ...oidc.settings(), ...patient, ...settings }, { servers, now }),
    database,
    clock,
    ...events,
    userOf,

    /** Creates a user at the provider, in workspaces with these names. */
    aPerson: (overrides: Partial<TestPerson> = {}, ...workspaces: string[]): TestPerson => {
      const person = oidc.addPerson(overrides);
      const rows = workspaces.map((name) => ({ id: `${name}-${person.sub}`, name, role: 'owner' }));
      oidc.workspaces.set(person.sub, rows);
      return person;
    },
    authenticate: (credential: string, workspaceId = '') =>
      service.identity.call('AuthenticateUser', { credential, workspaceId }, as()),
    logIn: ({ email, password }: TestPerson) => service.sessions.call('PasswordLogin', { email, password }, as()),
    refresh: (secret: string, at = service) => at.sessions.call('RefreshSession', { secret }, as()),
    /** Returns the workspaces that a session can use. */
    workspacesOf: async (secret: string, userId: string) => {
      const by = as(aPrincipal({ id: userId, workspaceId: '' }));
      return (await service.workspaces.call('ListWorkspaces', { credential: secret }, by)).workspaces;
    },
    sessionsOf: async (subject: string) =>
      database
        .collection('sessions')
        .find({ userId: (await userOf(subject))?._id })
        .toArray(),
    /**
     * Starts a sign-in and visits the provider as the user with this email. If `email` is empty, the provider denies
     * access. Returns the sign-in with the URL of the callback.
     */
    goToProvider: async (email: string, returnTo = '/links', at = service) => {
      const started = await at.sessions.call('BeginLogin', { returnTo, redirectUri }, as());
      oidc.signedInEmail = email;
      const response = await fetch(started.authorizationUrl, { redirect: 'manual' });
      return { ...started, callbackUrl: response.headers.get('location')! };
    },
    finish: (callbackUrl: string, browserSecret: string) =>
      service.sessions.call('FinishLogin', { callbackUrl, browserSecret }, as()),

    /**
     * Resets the clock and the provider's mode, failures, token settings, delay and signed-in user. Makes the provider
     * send the responses that it holds back.
     */
    recover: () => {
      clock.aheadMs = 0;
      const defaults = {
        mode: 'up',
        failure: { status: 503 },
        passwordError: undefined,
        opaqueTokens: false,
        givesRefreshTokens: true,
        refreshMs: 0,
        signedInEmail: '',
      } as const;
      Object.assign(oidc, defaults);
      oidc.release();
    },
    stop: async () => {
      await events.stopListening();
      await database.dropDatabase();
      await database.close();
      for (const each of services) await each.stop();
      await servers.stop();
      await oidc.stop();
    },
  };
}

/** Records events, and the user ids in the notifications that make gateways drop cached credentials. */
async function listen(natsUrl: string, dbName: string) {
  const events: TautanEvent[] = [];
  const invalidated: string[] = [];
  const log = createLog('test', 'silent');
  const bus = new Bus({ url: natsUrl, name: 'test', log });
  bus.listen(invalidations.credential, (payload) =>
    invalidated.push(...((payload as { userIds?: string[] }).userIds ?? [])),
  );
  await until(() => bus.connected);
  const handle = async (payload: Uint8Array): Promise<void> =>
    void events.push(parseEvent(JSON.parse(Buffer.from(payload).toString())));
  const settings = {
    stream: 'EVENTS',
    durable: `test-${dbName}`,
    subject: 'events.>',
    handle,
    onDeadLetter: handle,
    log,
  };
  const consumer = consume(bus, settings, () => false);
  const stopListening = async (): Promise<void> => {
    await consumer.stop();
    await bus.close();
  };
  return { events, invalidated, stopListening };
}
