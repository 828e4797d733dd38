import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { AppendLog, State } from '@tautan/append-log';
import { createCustomer } from './objects/customers.js';
import { Sandbox } from './sandbox.js';

const folder = mkdtempSync(join(tmpdir(), 'tautan-payments-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));
const onLoss = (): void => undefined;

test('a change that could not be written has no effect and emits no event', async () => {
  let refuses = false;
  const openLog: typeof AppendLog.open = async (...args) => {
    const log = await AppendLog.open(...args);
    const append = log.append.bind(log);
    log.append = (payload) => (refuses ? Promise.reject(new Error('no space left')) : append(payload));
    return log;
  };
  const state = await State.open(join(folder, 'log'), { onLoss, openLog });
  const emitted: string[] = [];
  const onEvents = (ids: readonly string[]): void => void emitted.push(...ids);
  const sandbox = new Sandbox({ state, now: Date.now, baseUrl: 'http://localhost:1', onEvents });
  const create = (name: string) => sandbox.change((tx) => createCustomer(tx, { name }));
  const names = () =>
    sandbox
      .transaction()
      .all('customer')
      .map(({ name }) => name);

  await create('before');
  refuses = true;
  const refused = create('lost');
  const read = sandbox.settled();
  await expect(refused).rejects.toThrow('no space left');
  // A concurrent request may have read the lost change. `settled` rejects, so that no response contains the change.
  await expect(read).rejects.toThrow('no space left');
  refuses = false;
  await create('after');
  expect(names()).toEqual(['before', 'after']);
  expect(emitted).toHaveLength(2);
  await state.close();
  const again = await State.open(join(folder, 'log'), { onLoss });
  expect([...again.all('customer')]).toHaveLength(2);
  await again.close();
});

test('a change that throws has no effect', async () => {
  const state = await State.open(join(folder, 'other'), { onLoss });
  const sandbox = new Sandbox({ state, now: Date.now, baseUrl: '', onEvents: () => undefined });
  const failing = sandbox.change((tx) => {
    createCustomer(tx, { name: 'half' });
    throw new Error('failed halfway');
  });
  await expect(failing).rejects.toThrow('failed halfway');
  expect(sandbox.transaction().all('customer')).toEqual([]);
  await state.close();
});
