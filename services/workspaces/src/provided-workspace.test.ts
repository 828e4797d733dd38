import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { invalidations } from '@tautan/proto';
import { startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { as } from './testing/service.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterAll(() => fixture.stop());

const create = (externalId: string, plan: string) =>
  fixture.service.operators.call('CreateWorkspace', { name: 'Kopi', plan, externalId }, as());

/** Lists the workspaces of a user until there is one, because a call waits less than a second for the provider. */
const listOf = (person: TestPerson) =>
  until(async () => {
    const list = await person.list();
    return list.length > 0 && list;
  });

/** Creates a user and a workspace at the provider. The user owns the workspace, which has no mirror yet. */
async function anOwner() {
  const person = await fixture.aPerson();
  const { id } = fixture.provider.aWorkspace('Kopi', { userId: person.subject, email: person.email, role: 'owner' });
  return { person, externalId: id };
}

describe('creating a workspace with the id of a workspace at the provider', () => {
  test("creates a mirror with the given plan and the provider's members", async () => {
    const { person, externalId } = await anOwner();
    const { id } = await create(externalId, 'BUSINESS');
    expect(await listOf(person)).toMatchObject([{ id, name: 'Kopi', role: 'owner', plan: 'BUSINESS', memberCount: 1 }]);
  });

  test('sets the plan of an existing mirror, and makes every gateway reload the entitlements of the workspace', async () => {
    const invalidated: string[] = [];
    fixture.bus.listen(
      invalidations.entitlements,
      (message) => void invalidated.push((message as { workspaceId: string }).workspaceId),
    );
    const { person, externalId } = await anOwner();
    const [mirrored] = await listOf(person);
    expect(mirrored).toMatchObject({ plan: 'FREE' });
    expect(await create(externalId, 'PRO')).toMatchObject({ id: mirrored!.id, plan: 'PRO' });
    expect(await listOf(person)).toMatchObject([{ id: mirrored!.id, plan: 'PRO' }]);
    await until(() => invalidated.includes(mirrored!.id));
  });

  test('without a plan keeps that of an existing mirror', async () => {
    const { externalId } = await anOwner();
    const { id } = await create(externalId, 'PRO');
    expect(await create(externalId, '')).toMatchObject({ id, plan: 'PRO', givenPlan: 'PRO' });
  });

  test('creates exactly one mirror, even if repeated concurrently', async () => {
    const { person, externalId } = await anOwner();
    const created = await Promise.all([
      listOf(person).then(([mirrored]) => mirrored!),
      ...[1, 2, 3].map(() => create(externalId, 'PRO')),
    ]);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(await listOf(person)).toMatchObject([{ id: created[0].id, plan: 'PRO' }]);
  });
});
