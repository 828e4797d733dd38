import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { delayCommand, startProcess, until } from '@tautan/kit/testing';
import { createCounters } from './store/usage.js';
import { startService, type TestService } from './testing/service.js';

/** Number of times the service is killed while it creates and deletes endpoints. */
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 6);
/** Database commands of creations and deletions. Before each kill, the database starts to delay one of them. */
const COMMANDS = ['findAndModify', 'insert', 'commitTransaction', 'delete', 'update'];

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test(
  'the usage counter equals the number of stored endpoints, even if the service is killed at any moment',
  async () => {
    const caller = service.as(undefined, 10_000);
    const { workspaceId } = caller;
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const victim = await startProcess(join(import.meta.dirname, 'main.js'), service.settings);
      await until(async () => (await fetch(`http://127.0.0.1:${victim.ports['admin']}/readyz`)).ok);
      const removeClients = service.addClients(victim.ports);
      // Call each replica in turn, so that the new process is warm.
      for (let i = 0; i < 2; i += 1)
        ids.push((await caller.anEndpoint(`https://hooks.example.com/${kill}/warm/${i}`)).id);
      await delayCommand(service.connection, 'webhooks', COMMANDS[kill % COMMANDS.length]);
      const busy = Array.from({ length: 16 }, async (_, i) => {
        if (i % 4 === 0 && ids.length > 0) await caller.call('DeleteEndpoint', { id: ids.pop()! });
        else ids.push((await caller.anEndpoint(`https://hooks.example.com/${kill}/${i}`)).id);
      });
      const settled = Promise.allSettled(busy);
      await pause(200 + Math.random() * 400);
      await victim.kill();
      await delayCommand(service.connection, 'webhooks', undefined);
      await settled;
      removeClients();
    }
    const stored = await service.models.endpoints.countDocuments({ workspaceId });
    expect(stored).toBeGreaterThan(0);
    expect(await caller.usage()).toBe(stored);
    expect(await createCounters(service.models).drift({ workspaceId, limit: 'webhookEndpoints' })).toBe(0);
  },
  60_000 + KILLS * 10_000,
);
