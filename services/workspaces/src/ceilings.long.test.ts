import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { as, type TestService } from './testing/service.js';

const MAX = 4;
let fixture: ServiceWithProvider;
let replica: TestService;
beforeAll(async () => {
  fixture = await startWithProvider({ MAX_WORKSPACES_PER_USER: `${MAX}`, MAX_API_KEYS: `${MAX}` });
  replica = await fixture.aReplica();
  await until(async () => (await fetch(`${replica.adminUrl}/readyz`)).ok);
});
afterEach(() => fixture.recover());
afterAll(async () => {
  await replica.stop();
  await fixture.stop();
});

/** Runs concurrent calls, alternating between both replicas, and returns their outcomes. */
const callBothReplicas = (count: number, call: (service: TestService) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, i) => call([fixture.service, replica][i % 2]!)));
const errorsOf = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));

describe('the limit on workspaces that a user owns', () => {
  const refused = {
    code: 'VALIDATION_ERROR',
    field: 'name',
    message: 'A user can own at most 4 workspaces, and you own 4. Ask the operator to raise MAX_WORKSPACES_PER_USER.',
  };
  const create = (person: TestPerson, operationId?: string) => (service: TestService) =>
    service.workspaces.call(
      'CreateOwnWorkspace',
      { credential: person.credential, name: 'Kopi', ...(operationId && { operationId }) },
      person.by(),
    );
  const creatingOf = async (person: TestPerson) => (await fixture.models.users.findById(person._id).lean())!.creating;

  test('is exactly MAX_WORKSPACES_PER_USER across two replicas', async () => {
    const person = await fixture.aPerson();
    for (let i = 1; i < MAX; i += 1) await person.create();
    const writeCount = fixture.provider.writes.length;
    const outcomes = await callBothReplicas(30, create(person));
    expect(errorsOf(outcomes)).toEqual(Array.from({ length: 29 }, () => expect.objectContaining(refused)));
    expect(fixture.provider.writes).toHaveLength(writeCount + 1);
    expect(await person.list()).toHaveLength(MAX);
    expect(await creatingOf(person)).toEqual([]);
  });

  test('counts a creation once, even if it has an operation id or is repeated after a lost response', async () => {
    const person = await fixture.aPerson();
    for (let i = 1; i < MAX; i += 1) await create(person, newUlid())(fixture.service);
    const repeated = create(person, newUlid());
    fixture.provider.behavior = 'loses responses';
    await expect(repeated(fixture.service)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await fixture.recover();
    await repeated(replica);
    expect(await person.list()).toHaveLength(MAX);
  });

  test('does not count those that the user is only a member of', async () => {
    const [person, other] = [await fixture.aPerson(), await fixture.aPerson()];
    for (let i = 0; i < MAX; i += 1) await person.create();
    const { id } = await other.create();
    await other.invite(id, person.email);
    expect(await person.list()).toHaveLength(MAX + 1);
    await expect(person.create()).rejects.toMatchObject(refused);
    for (let i = 1; i < MAX; i += 1) await other.create();
  });

  test('does not count a creation that failed at the provider, or an expired reservation left by a crash', async () => {
    const person = await fixture.aPerson();
    for (let i = 1; i < MAX; i += 1) await person.create();
    fixture.provider.behavior = '500';
    await expect(person.create()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await creatingOf(person)).toEqual([]);
    await fixture.recover();
    const creating = (seconds: number) => [{ id: 'crashed', until: new Date(Date.now() + seconds * 1_000) }];
    await fixture.models.users.updateOne({ _id: person._id }, { $set: { creating: creating(25) } });
    await expect(person.create()).rejects.toMatchObject(refused);
    // One reservation has expired; the other was left by a process that crashed with its clock an hour ahead.
    const left = [...creating(-1), ...creating(3_600)];
    await fixture.models.users.updateOne({ _id: person._id }, { $set: { creating: left } });
    await person.create();
    expect(await person.list()).toHaveLength(MAX);
  });
});

describe('the API keys of a workspace', () => {
  const refused = {
    code: 'VALIDATION_ERROR',
    field: 'label',
    message:
      'A workspace can have at most 4 API keys, and this one has 4. Revoke a key that is no longer used, or ask the operator to raise MAX_API_KEYS.',
  };

  test('are limited to exactly MAX_API_KEYS across two replicas; revoking a key allows another', async () => {
    const owner = await fixture.aPerson();
    const { id: workspaceId } = await owner.create();
    const keys = [];
    for (let i = 1; i < MAX; i += 1) keys.push(await fixture.mintKey(owner, workspaceId));
    // Mint as the operator: a user's requests also lock the membership, which would hide a missing workspace lock.
    const mint = (service: TestService) => service.operators.call('MintApiKey', { workspaceId, label: 'CI' }, as());
    const outcomes = await callBothReplicas(30, mint);
    expect(errorsOf(outcomes)).toEqual(Array.from({ length: 29 }, () => expect.objectContaining(refused)));
    await expect(fixture.mintKey(owner, workspaceId)).rejects.toMatchObject(refused);
    await fixture.service.operators.call('RevokeApiKey', { workspaceId, id: keys[0]!.id }, as());
    await fixture.mintKey(owner, workspaceId);
    await expect(fixture.mintKey(owner, workspaceId)).rejects.toMatchObject(refused);
  });
});
