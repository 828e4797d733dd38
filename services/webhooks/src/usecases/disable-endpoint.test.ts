import { expect, test } from '@jest/globals';
import type { Endpoint } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { disableEndpoint } from './disable-endpoint.js';

const id = 'whe_1';
const url = 'https://hooks.example.com/';
const reason = 'The receiver responded with 410 Gone.';
const created = new Date('2030-01-01T00:00:00Z');
const now = new Date('2030-01-02T00:00:00Z');
const active: Endpoint = {
  ...{ _id: id, workspaceId: 'ws_1', url, events: ['*'], active: true, disabledReason: null },
  ...{ secrets: [], createdAt: created, updatedAt: created },
};

/**
 * Disables a stored endpoint. Returns the result, the endpoint as stored afterwards, the emitted events, and the
 * endpoints that every replica must reload.
 */
async function disable(stored: Endpoint | null) {
  let endpoint = stored;
  const emitted: unknown[] = [];
  const reloaded: unknown[] = [];
  const endpoints = {
    byId: async () => endpoint,
    update: async (_id: string, set: Partial<Endpoint>) => void (endpoint &&= { ...endpoint, ...set }),
  };
  const deps = {
    store: { endpoints },
    transact: (by: unknown, work: (tx: object) => unknown) =>
      work({ emit: (event: object) => void emitted.push({ by, ...event }) }),
    endpointChanged: (changed: unknown) => void reloaded.push(changed),
    now: () => now,
  };
  const disabled = await disableEndpoint(deps as unknown as Deps, { id, url, reason });
  return { disabled, endpoint, emitted, reloaded };
}

test('an active endpoint is disabled by the system, with an event, and every replica reloads it', async () => {
  const { emitted, ...rest } = await disable(active);
  const endpoint = { ...active, active: false, disabledReason: reason, updatedAt: now };
  expect(rest).toEqual({ disabled: true, endpoint, reloaded: [{ workspaceId: 'ws_1', endpointId: id }] });
  expect(emitted).toMatchObject([
    {
      by: null,
      type: 'webhook_endpoint.updated',
      workspaceId: 'ws_1',
      target: { type: 'webhook_endpoint', id, label: url },
      data: { id, url, active: false, disabledReason: reason },
      changes: { active: { before: true, after: false }, disabledReason: { before: null, after: reason } },
    },
  ]);
});

test.each([
  ['deleted', null],
  ['disabled by its user', { ...active, active: false }],
  ['given another URL', { ...active, url: 'https://other.example.com/' }],
])('an endpoint that was %s during the attempts is not updated, and no event is emitted', async (_how, stored) => {
  expect(await disable(stored)).toEqual({ disabled: false, endpoint: stored, emitted: [], reloaded: [] });
});
