import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { suites } from '../cluster/suites.js';

const folder = join(import.meta.dirname, '..', 'e2e');

test('tests/cluster/suites.ts lists exactly the end-to-end suites', () => {
  const existing = readdirSync(folder).flatMap((name) => /^(.+)\.test\.js$/.exec(name)?.[1] ?? []);
  expect(Object.keys(suites).sort()).toEqual(existing.sort());
});
