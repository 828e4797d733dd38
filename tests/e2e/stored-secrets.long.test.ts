import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { everyString } from '../support/database.js';
import { aKey, aPerson, aWorkspace } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

test('a dump of the database contains no usable secret', async () => {
  const person = await aPerson(stack);
  const workspace = await aWorkspace(person);
  await aKey(person, workspace.id);
  await fetch(`${stack.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(stack.baseUrl).origin },
    body: JSON.stringify({ email: person.email, password: person.password }),
  });
  const { uri } = (await stack.quickstart()).mongodb;
  // Events are stored asynchronously, so wait until the database contains enough strings.
  const stored = await until(async () => {
    const texts = await everyString(uri);
    return texts.size > 100 && texts;
  });
  const secrets = [person.password, person.token, person.refreshToken];
  for (const secret of secrets) expect([...stored].filter((text) => text.includes(secret))).toEqual([]);
  const usable: string[] = [];
  // Credentials consist of visible ASCII. Texts with other characters are skipped, as are texts that are too short or
  // too long.
  const candidates = [...stored].filter((text) => /^[\x21-\x7e]{8,8000}$/.test(text));
  const tries = candidates.flatMap((text): Record<string, string>[] => [
    { authorization: `Bearer ${text}` },
    { cookie: `tautan_session=${text}` },
  ]);
  for (let i = 0; i < tries.length; i += 50) {
    const statuses = await Promise.all(
      tries
        .slice(i, i + 50)
        .map(async (headers) => (await fetch(`${stack.baseUrl}/api/v1/auth/session`, { headers })).status),
    );
    statuses.forEach((status, j) => status === 401 || usable.push(JSON.stringify([status, tries[i + j]])));
  }
  expect(usable).toEqual([]);
}, 120_000);
