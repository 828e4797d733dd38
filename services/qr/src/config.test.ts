import { expect, test } from '@jest/globals';
import { readQrConfig } from './config.js';

const needed = {
  MONGODB_URI: 'mongodb://db',
  NATS_URL: 'nats://bus',
  BIND_HOST: 'localhost',
  LINKS_ADDRESS: 'localhost:50051',
  BASE_URL: 'https://go.example',
};
const read = (more: Record<string, string> = {}) => readQrConfig({ ...needed, ...more });

test.each<Record<string, string>>([{}, { SWEEP_MS: '1250' }, { SWEEP_MS: '25', LEASE_MS: '100', ABANDONED_MS: '100' }])(
  'accepts %j: the sweeps are frequent enough to detect ended leases',
  (settings) => expect(read(settings)).toMatchObject({}),
);

test.each<Record<string, string>>([{ SWEEP_MS: '1251' }, { LEASE_MS: '2000' }, { ABANDONED_MS: '3999' }])(
  'rejects %j: the sweeps would be too rare to detect ended leases',
  (settings) =>
    expect(() => read(settings)).toThrow(/SWEEP_MS: must be at most a quarter of LEASE_MS and of ABANDONED_MS/),
);
