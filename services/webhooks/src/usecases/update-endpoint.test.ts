import { expect, test } from '@jest/globals';
import type { Principal } from '@tautan/kit';
import type { Endpoint } from '../domain/endpoint.js';
import type { EndpointChange } from '../signals.js';
import type { Deps } from '../usecase-deps.js';
import { updateEndpoint, type EndpointPatch } from './update-endpoint.js';

const by = { workspaceId: 'ws_1', role: 'admin' } as Principal;
const id = 'whe_01k8z6r7d2v4m9q0s3t5w7x9yf';
const created = new Date('2030-01-01T00:00:00Z');
const now = new Date('2030-01-02T00:00:00Z');
const paused: Endpoint = {
  ...{ _id: id, workspaceId: 'ws_1', url: 'https://hooks.example.com/', events: ['*'], active: false },
  ...{ disabledReason: null, secrets: [], createdAt: created, updatedAt: created },
};

/** Updates a paused endpoint. Returns the effects in their order, and the result; undefined if the update failed. */
async function update(patch: Omit<EndpointPatch, 'id'>, commit: () => Promise<void> = async () => {}) {
  const effects: string[] = [];
  const deps = {
    store: {
      endpoints: { byId: async () => paused, update: async () => void effects.push('updated') },
      queues: { restart: async () => void effects.push('restarted') },
    },
    transact: async (_by: unknown, work: (tx: object) => Promise<unknown>) => {
      const result = await work({ emit: ({ type }: { type: string }) => effects.push(type) });
      await commit();
      return result;
    },
    endpointChanged: ({ workspaceId, endpointId }: EndpointChange) =>
      effects.push(`reloaded ${workspaceId} ${endpointId}`),
    wake: (ids: string[]) => effects.push(`woken ${ids.join(' ')}`),
    now: () => now,
  };
  const result = await updateEndpoint(deps as unknown as Deps, by, { id, ...patch }).catch(() => undefined);
  return { effects, result };
}

const changed = ['updated', 'restarted', 'webhook_endpoint.resumed'];

test('a change is written first; then the replicas reload the endpoint, and its worker is woken', async () => {
  const { effects, result } = await update({ active: true });
  expect(effects).toEqual([...changed, `reloaded ws_1 ${id}`, `woken ${id}`]);
  expect(result).toEqual({ ...paused, active: true, updatedAt: now });
});

test('a change that is not committed reaches no replica', async () => {
  expect(await update({ active: true }, () => Promise.reject(new Error('timeout')))).toEqual({
    effects: changed,
    result: undefined,
  });
});

test('an update that changes nothing has no effect', async () => {
  expect(await update({ active: false, events: ['*'] })).toEqual({ effects: [], result: paused });
});
