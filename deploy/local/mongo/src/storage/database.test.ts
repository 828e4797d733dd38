import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Database } from './database.js';
import { Journal } from './journal.js';
import { prefixOf } from './keys.js';

const key = `${prefixOf('document', 1)}a`;

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongo-database-'));
  database = await Database.open(folder, () => undefined, false);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await database.close();
  await rm(folder, { recursive: true });
});

test('waiting for a checkpoint fails if changes are lost', async () => {
  jest.spyOn(Journal.prototype, 'append').mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  database.set(key, Buffer.from('value'));
  await expect(database.checkpointed()).rejects.toMatchObject({ codeName: 'OutOfDiskSpace' });
  expect(database.latest.get(key)).toBeUndefined();
});
