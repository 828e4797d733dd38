import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startPeople, type People } from './testing/people.js';
import { as } from './testing/service.js';

let people: People;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people.stop());

const create = (externalId: string, plan: string) =>
  people.service.workspaces.call('CreateWorkspace', { name: 'Kopi', plan, externalId }, as());

/** Somebody who owns a workspace at the provider that is not mirrored yet. */
async function anOwner() {
  const person = await people.aPerson();
  const { id } = people.provider.aWorkspace('Kopi', { userId: person.subject, email: person.email, role: 'owner' });
  return { person, externalId: id };
}

describe('an operator who names a workspace of the provider', () => {
  test('makes its mirror on a plan, and its members there become members here', async () => {
    const { person, externalId } = await anOwner();
    const { id } = await create(externalId, 'BUSINESS');
    expect(await person.list()).toMatchObject([{ id, name: 'Kopi', role: 'owner', plan: 'BUSINESS', memberCount: 1 }]);
  });

  test('puts the mirror that is there already on the plan', async () => {
    const { person, externalId } = await anOwner();
    const [mirrored] = await person.list();
    expect(mirrored).toMatchObject({ plan: 'FREE' });
    expect(await create(externalId, 'PRO')).toMatchObject({ id: mirrored!.id, plan: 'PRO' });
    expect(await person.list()).toMatchObject([{ id: mirrored!.id, plan: 'PRO' }]);
  });

  test('makes one, however often and whenever asked', async () => {
    const { person, externalId } = await anOwner();
    const made = await Promise.all([
      person.list().then(([one]) => one!),
      ...[1, 2, 3].map(() => create(externalId, 'PRO')),
    ]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await person.list()).toMatchObject([{ id: made[0].id, plan: 'PRO' }]);
  });
});
