import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { eventually, until } from '@tautan/kit/testing';
import { linkExample, type TautanEvent } from '@tautan/proto';
import { operatorServices } from '@tautan/proto/rpc';
import { SYNC_MISSING_AFTER_MS } from './sessions/domain/user.js';
import { anEmail, startWithProvider, type ServiceWithProvider } from './testing/people.js';
import { aPrincipal, as } from './testing/service.js';
import { startSignIns, type SignIns } from './testing/sign-ins.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterAll(() => fixture.stop());

const create = (request: object = {}) =>
  fixture.service.operators.call('CreateWorkspace', { name: 'Kopi', ...request }, as());

describe('the operator listener', () => {
  test('listens on 127.0.0.1 only', async () => {
    const [, port] = fixture.service.operatorAddress.split(':');
    // A listener on all addresses would also accept connections to this other loopback address.
    const elsewhere = rpcClient(operatorServices.processes, { address: `127.0.0.2:${port}` });
    await expect(elsewhere.call('GetProcess', {}, as())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    elsewhere.close();
  });

  test.each(Object.entries(operatorServices))(
    'is the only one that serves the calls of %s',
    async (_name, definition) => {
      const client = rpcClient(definition as typeof operatorServices.workspaces, { address: fixture.service.address });
      const before = await fixture.models.workspaces.countDocuments();
      for (const method of Object.keys(definition)) {
        const calls = [as(), as(aPrincipal())].map((by) =>
          client.call(method as 'CreateWorkspace', { name: 'Kopi' }, by),
        );
        for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
      }
      expect(await fixture.models.workspaces.countDocuments()).toBe(before);
      client.close();
    },
  );

  test('mints and lists keys without a principal, although the public calls require one', async () => {
    const { id: workspaceId } = await create();
    const { apiKeys, operators } = fixture.service;
    const key = await operators.call('MintApiKey', { workspaceId, label: 'CI' }, as());
    const unauthenticated = { code: 'UNAUTHENTICATED' };
    await expect(apiKeys.call('MintApiKey', { workspaceId, label: 'x' }, as())).rejects.toMatchObject(unauthenticated);
    await expect(apiKeys.call('RevokeApiKey', { workspaceId, id: key.id }, as())).rejects.toMatchObject(
      unauthenticated,
    );
    expect((await operators.call('ListApiKeys', { workspaceId }, as())).apiKeys).toMatchObject([
      { id: key.id, label: 'CI' },
    ]);
    await expect(operators.call('ListApiKeys', { workspaceId: newId('ws') }, as())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('lists the processes of the installation with their connections', async () => {
    const replica = await fixture.aReplica();
    const client = rpcClient(operatorServices.processes, { address: fixture.service.operatorAddress });
    const own = {
      service: 'workspaces',
      pid: process.pid,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      connections: [
        { name: 'mongodb', connected: true },
        { name: 'nats', connected: true },
      ],
    };
    await eventually(async () => {
      const { processes, complete } = await client.call('ListProcesses', {}, as());
      expect({ processes, complete }).toMatchObject({ processes: [own, own], complete: true });
    });
    expect((await client.call('GetProcess', {}, as())).calls).toEqual(
      expect.arrayContaining(['CreateWorkspace', 'ReplayDeadLetter', 'CheckUsage']),
    );
    client.close();
    await replica.stop();
  });
});

describe('operator changes', () => {
  test('are recorded in the audit log', async () => {
    const by = as();
    const { id: workspaceId } = await fixture.service.operators.call(
      'CreateWorkspace',
      { name: 'Kopi', ownerEmail: anEmail() },
      by,
    );
    const key = await fixture.service.operators.call('MintApiKey', { workspaceId, label: 'CI' }, as());
    await fixture.service.operators.call('SetPlan', { workspaceId, plan: 'PRO' }, as());
    await fixture.service.operators.call('RevokeApiKey', { workspaceId, id: key.id }, as());
    const entries = await until(async () => {
      const found = await fixture.service.audit.call('ListAuditLog', { limit: 50 }, as(aPrincipal({ workspaceId })));
      return found.entries.length === 5 && found.entries;
    });
    const actions = ['workspace.created', 'member.invited', 'api_key.created', 'workspace.updated', 'api_key.revoked'];
    expect(entries.map(({ action }) => action).sort()).toEqual(actions.sort());
    for (const entry of entries) expect(entry).toMatchObject({ actorType: 'system', actorName: 'operator' });
    expect(entries.find(({ action }) => action === 'workspace.created')!.requestId).toBe(by.requestId);
  });
});

describe('a workspace that an operator creates for an owner', () => {
  let fixture: SignIns;
  beforeAll(async () => {
    fixture = await startSignIns();
  });
  afterAll(() => fixture.stop());

  test.each(['provider', 'local'])(
    'with IDENTITY_WORKSPACES=%s gets its owner when the owner first signs in with a verified email address',
    async (management) => {
      const service = await fixture.anotherReplica({ IDENTITY_WORKSPACES: management });
      const person = fixture.aPerson();
      const other = await fixture.oidc.tokenOf(fixture.aPerson({}, 'Teh'));
      const { workspaceId } = await fixture.authenticate(other);
      const ownerEmail = person.email.toUpperCase();
      const wanted = { name: 'Kopi', ownerEmail, plan: 'BUSINESS' };
      const { id, ...created } = await eventually(() => service.operators.call('CreateWorkspace', wanted, as()));
      expect(created).toMatchObject({ plan: 'BUSINESS', givenPlan: 'BUSINESS', memberCount: 0 });
      expect(created.owner).toEqual({ email: person.email, status: 'invited' });
      // An invitation to a workspace of the provider, which the user accepts at the provider unless workspaces are
      // managed locally.
      const nobody = { externalId: null, userId: null, name: '', joinedAt: null };
      const times = { asOf: new Date(), createdAt: new Date() };
      const invitation = { ...nobody, ...times, workspaceId, email: person.email, role: 'viewer', status: 'invited' };
      const members = fixture.database.collection<{ _id: string }>('members');
      await members.insertOne({ _id: newId('mem'), ...invitation });
      const authenticate = async (claims: Parameters<typeof fixture.oidc.tokenOf>[1]) => {
        const credential = await fixture.oidc.tokenOf(person, claims);
        return service.identity.call('AuthenticateUser', { credential, workspaceId: id }, as());
      };
      await expect(authenticate({ email_verified: false })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      fixture.clock.aheadMs += SYNC_MISSING_AFTER_MS + 1_000;
      expect(await authenticate({})).toMatchObject({ workspaceId: id, role: 'owner', plan: 'BUSINESS' });
      const invited = await members.findOne({ workspaceId, email: person.email });
      expect(invited).toMatchObject({ status: management === 'local' ? 'active' : 'invited' });
      const [listed] = (await service.operators.call('ListWorkspaces', { limit: 1 }, as())).workspaces;
      expect(listed).toMatchObject({ id, memberCount: 1, owner: { email: person.email, status: 'active' } });
      await service.stop();
    },
  );

  test.each([
    [{ ownerEmail: 'ayu' }, 'ownerEmail'],
    [{ ownerEmail: anEmail(), externalId: 'org_1' }, 'ownerEmail'],
    [{ ownerEmail: anEmail(), plan: 'GOLD' }, 'plan'],
  ])('is not created from %j, and the error names %s', async (request, field) => {
    await expect(create(request)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });
});

test('all workspaces are paginated, newest first, without duplicates', async () => {
  const ids = [];
  for (let i = 0; i < 5; i += 1) ids.push((await create({ ownerEmail: anEmail() })).id);
  const listedIds: string[] = [];
  for (let after = '', hasMore = true; hasMore; after = listedIds.at(-1)!) {
    const page = await fixture.service.operators.call('ListWorkspaces', { after, limit: 2 }, as());
    expect(page.workspaces.length).toBeLessThanOrEqual(2);
    listedIds.push(...page.workspaces.map(({ id }) => id));
    hasMore = page.hasMore;
  }
  expect(listedIds.slice(0, 5)).toEqual(ids.toReversed());
  expect(new Set(listedIds).size).toBe(await fixture.models.workspaces.countDocuments());
  for (const limit of [0, 201]) {
    const refused = fixture.service.operators.call('ListWorkspaces', { limit }, as());
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'limit' });
  }
});

describe('a dead letter', () => {
  const deadLetterClient = () => rpcClient(operatorServices.deadLetters, { address: fixture.service.operatorAddress });
  const aDeadLetter = async (payload: string, subject = 'events.link.created'): Promise<string> => {
    const _id = newUlid();
    await fixture.models.deadLetters.insertMany([
      { _id, subject, payload: Buffer.from(payload), reason: 'broken', at: new Date() },
    ]);
    return _id;
  };
  const aLinkCreated = (workspaceId: string): TautanEvent<'link.created'> => ({
    id: newId('evt'),
    type: 'link.created',
    at: new Date().toISOString(),
    workspaceId,
    actor: { type: 'system', id: null, name: 'system' },
    requestId: null,
    ip: null,
    userAgent: null,
    target: { type: 'link', id: newId('lnk'), label: 'spring' },
    changes: {},
    data: aLinkData(),
  });
  const linkCount = async (workspaceId: string) => (await fixture.models.workspaces.findById(workspaceId))!.linkCount;

  test('can be listed, read and replayed; a second replay of its event changes nothing', async () => {
    const client = deadLetterClient();
    const { id: workspaceId } = await create();
    const payload = JSON.stringify(aLinkCreated(workspaceId));
    const id = await aDeadLetter(payload);
    const { deadLetters } = await client.call('ListDeadLetters', { limit: 200 }, as());
    expect(deadLetters.find((letter) => letter.id === id)).toMatchObject({
      subject: 'events.link.created',
      reason: 'broken',
      size: payload.length,
    });
    expect((await client.call('GetDeadLetter', { id }, as())).payload!.toString()).toBe(payload);
    await Promise.allSettled([1, 2, 3].map(() => client.call('ReplayDeadLetter', { id }, as())));
    expect(await linkCount(workspaceId)).toBe(1);
    await expect(client.call('ReplayDeadLetter', { id }, as())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Simulates a crash between applying the event and deleting the letter.
    const again = await aDeadLetter(payload);
    await client.call('ReplayDeadLetter', { id: again }, as());
    expect(await linkCount(workspaceId)).toBe(1);
    expect(await fixture.models.deadLetters.countDocuments({ _id: { $in: [id, again] } })).toBe(0);
    client.close();
  });

  test('is on exactly one page of the list', async () => {
    const client = deadLetterClient();
    for (let i = 0; i < 3; i += 1) await aDeadLetter('{}');
    const listedIds: string[] = [];
    for (let after = '', hasMore = true; hasMore; after = listedIds.at(-1)!) {
      const page = await client.call('ListDeadLetters', { after, limit: 2 }, as());
      expect(page.deadLetters.length).toBeLessThanOrEqual(2);
      listedIds.push(...page.deadLetters.map(({ id }) => id));
      expect(new Set(listedIds).size).toBe(listedIds.length);
      hasMore = page.hasMore;
    }
    expect(listedIds).toHaveLength(await fixture.models.deadLetters.countDocuments());
    client.close();
  });

  test('is kept if its replay fails, and the error states the reason', async () => {
    const client = deadLetterClient();
    const [unreadable, unknown] = [await aDeadLetter('{"id":'), await aDeadLetter('{}', 'events.gone')];
    await expect(client.call('ReplayDeadLetter', { id: unreadable }, as())).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('JSON'),
    });
    await expect(client.call('ReplayDeadLetter', { id: unknown }, as())).rejects.toMatchObject({
      message: expect.stringContaining('does not consume events.gone'),
    });
    expect(await fixture.models.deadLetters.countDocuments({ _id: { $in: [unreadable, unknown] } })).toBe(2);
    client.close();
  });
});

const aLinkData = (): TautanEvent<'link.created'>['data'] => ({ ...linkExample, id: newId('lnk') });
