import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { closeHttp, listen } from '@tautan/kit';
import { chooseIdentity } from './identity.js';
import { readSettings } from './settings.js';

const choose = (change: object) =>
  chooseIdentity({ ...readSettings({ DATA_DIR: mkdtempSync(join(tmpdir(), 'tautan-identity-plan-')) }), ...change });

test('says why the port cannot be used', async () => {
  const other = createServer();
  const port = await listen(other, 0, '127.0.0.1');
  await expect(choose({ IDENTITY_PORT: port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1, the sign-in port of this data folder, is already in use. Free it, or set`,
  );
  await closeHttp(other, 0);
  // An address reserved for documentation, which no machine has.
  await expect(choose({ IDENTITY_PORT: port, BIND_HOST: '198.51.100.1' })).rejects.toThrow(
    `Port ${port} on 198.51.100.1, the sign-in port of this data folder, cannot be used (EADDRNOTAVAIL). Set IDENTITY_PORT or BIND_HOST`,
  );
});
