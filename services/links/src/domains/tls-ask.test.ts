import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Mongo } from '@tautan/kit/mongo';
import mongoose from 'mongoose';
import { createModels } from '../store/models.js';
import { startDomainFixture, type DomainFixture } from '../testing/domains.js';
import { tlsAsk } from './tls-ask.js';

let fixture: DomainFixture;
beforeAll(async () => void (fixture = await startDomainFixture()));
afterAll(() => fixture.stop());

describe('GET /internal/tls/ask', () => {
  const ask = async (domain: string) =>
    (await fetch(`http://127.0.0.1:${fixture.service.ports['admin']}/internal/tls/ask?domain=${domain}`)).status;

  test('responds with 200 only for a verified domain', async () => {
    const caller = fixture.service.as();
    const { id, domain } = await fixture.aVerifiedDomain(caller);
    const pending = await fixture.add(caller);
    expect(await Promise.all([domain, domain.toUpperCase(), `${domain}.`].map(ask))).toEqual([200, 200, 200]);
    const others = [pending.domain, 'nobody.example', 'go.example.com', '', 'a b', `${domain}/`, '%00'];
    expect(await Promise.all(others.map(ask))).toEqual(others.map(() => 404));
    await caller.domains('DeleteDomain', { id });
    expect(await ask(domain)).toBe(404);
  });

  test('responds with 404 for a route that is not the entry of a domain', async () => {
    const { domain } = await fixture.aVerifiedDomain(fixture.service.as());
    await fixture.service.models.routes.updateOne({ _id: `${domain}/` }, { via: 'link' });
    expect(await ask(domain)).toBe(404);
  });

  test('queries the database for two seconds at most, and responds with 503 while it is unavailable', async () => {
    const { domain } = await fixture.aVerifiedDomain(fixture.service.as());
    const { MONGODB_URI, MONGODB_DATABASE: dbName } = fixture.service.settings;
    const options = { dbName: dbName!, bufferCommands: false, autoCreate: false, autoIndex: false };
    const connection = mongoose.createConnection(MONGODB_URI!, { ...options, monitorCommands: true });
    const models = createModels(await connection.asPromise());
    const commands: Record<string, unknown>[] = [];
    connection.getClient().on('commandStarted', ({ command }) => void commands.push(command));
    const statusWhen = async (ready: boolean) => {
      const mongo = { ready: () => ready } as Mongo;
      return (await tlsAsk({ models, mongo })(new URLSearchParams({ domain }))).status;
    };
    expect(await statusWhen(false)).toBe(503);
    expect(await statusWhen(true)).toBe(200);
    expect(commands).toMatchObject([{ find: 'redirects', maxTimeMS: 2_000 }]);
    await connection.close();
    expect(await statusWhen(true)).toBe(503);
  });
});
