import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createLog, TRANSACTION_LIFETIME_LIMIT_SECONDS } from '@tautan/kit';
import { connectMongo } from '@tautan/kit/mongo';
import { start } from './engine.js';

test('uses the transaction lifetime that the product requires', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tautan-engine-'));
  const engine = await start({ ENGINE_DIR: folder, ENGINE_PORT: '0', BIND_HOST: '127.0.0.1' });
  const mongo = connectMongo({
    uri: `mongodb://127.0.0.1:${engine.ports['mongodb']}`,
    database: 'test',
    name: 'engine-test',
    log: createLog('test', 'silent'),
    prepare: () => Promise.resolve(),
  });
  await mongo.whenReady;
  const admin = mongo.connection.db!.admin();
  const parameter = await admin.command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 });
  await mongo.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
  expect(parameter['transactionLifetimeLimitSeconds']).toBe(TRANSACTION_LIFETIME_LIMIT_SECONDS);
});
