import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { delayCommand, eventually, startProcess, until } from '@tautan/kit/testing';
import { createCounters } from './store/usage.js';
import { startService, type TestService } from './testing/service.js';

/** Number of times the service is killed while it creates and deletes QR codes. */
const KILLS = Number(process.env['QR_KILLS'] ?? 6);
/** Database commands of creations and deletions. The service is killed while one of them waits in the database. */
const COMMANDS = ['findAndModify', 'insert', 'commitTransaction', 'update', 'delete'];

let service: TestService;
beforeAll(async () => {
  service = await startService({ ABANDONED_MS: '6000', LEASE_MS: '3000' });
});
afterAll(() => service.stop());

test(
  'the service keeps usage counters equal to the number of stored QR codes even if it is killed at any moment',
  async () => {
    const caller = service.as(undefined, 10_000);
    const { workspaceId } = caller;
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const victim = await startProcess(join(import.meta.dirname, 'main.js'), service.settings);
      await until(async () => (await fetch(`http://127.0.0.1:${victim.ports['admin']}/readyz`)).ok);
      const removeClients = service.addClients(victim.ports);
      // Call each replica in turn, so that the new process is warm. The transaction of the previous victim may still
      // lock the usage counter, until the database ends it.
      for (let i = 0; i < 2; i += 1) ids.push((await eventually(() => caller.aCode())).id);
      await delayCommand(service.connection, 'qr', COMMANDS[kill % COMMANDS.length]);
      const busy = Array.from({ length: 12 }, async (_, i) => {
        if (i % 4 === 0 && ids.length > 0) await caller.call('DeleteQrCode', { id: ids.pop()! });
        else ids.push((await caller.aCode(i % 4 === 1 ? { url: 'ftp://example.com' } : {})).id);
      });
      const settled = Promise.allSettled(busy);
      await pause(200 + Math.random() * 400);
      await victim.kill();
      await delayCommand(service.connection, 'qr', undefined);
      await settled;
      removeClients();
    }
    await until(async () => !(await service.models.qrCodes.exists({ workspaceId, dueAt: { $ne: null } })), 60_000);
    const stored = await service.models.qrCodes.countDocuments({ workspaceId });
    expect(stored).toBeGreaterThan(0);
    expect(await caller.usage()).toBe(stored);
    expect(await createCounters(service.models).drift({ workspaceId, limit: 'qrCodes' })).toBe(0);
  },
  90_000 + KILLS * 10_000,
);
