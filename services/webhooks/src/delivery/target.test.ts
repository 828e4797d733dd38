import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newId, Sealing } from '@tautan/kit';
import type { Endpoint } from '../domain/endpoint.js';
import { newSecret, rotated, sealSecret } from '../domain/secrets.js';
import { TargetReader } from './target.js';

const HOUR = 3_600_000;

test('caches an endpoint, and reads it again once one of its secrets has expired', async () => {
  const sealing = new Sealing([randomBytes(32)]);
  const id = newId('whe');
  let now = new Date();
  const seal = () => sealSecret(sealing, id, newSecret());
  const endpoint = { _id: id, active: true, secrets: rotated([seal()], seal(), now) } as Endpoint;
  let reads = 0;
  const reader = new TargetReader(
    () => Promise.resolve(((reads += 1), endpoint)),
    sealing,
    () => now,
  );
  for (let i = 0; i < 3; i += 1) await reader.current();
  expect(reads).toBe(1);
  now = new Date(now.getTime() + 25 * HOUR);
  for (let i = 0; i < 3; i += 1) await reader.current();
  expect(reads).toBe(2);
});
