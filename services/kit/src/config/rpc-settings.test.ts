import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { processSettings, readConfig } from './config.js';
import { rpcAddress, rpcSettings, withSecureRpc } from './rpc-settings.js';

const file = import.meta.filename;
const tls = { RPC_TLS_CA: file, RPC_TLS_CERT: file, RPC_TLS_KEY: file };
const loopback = { BIND_HOST: '127.0.0.1' };
const schema = withSecureRpc(
  z.object({ ...processSettings, ...rpcSettings('links'), QR_ADDRESS: rpcAddress.optional() }),
);
const read = (env: Record<string, string>) => readConfig(schema, env);

describe('plaintext gRPC', () => {
  test.each<Record<string, string>>([
    {},
    { BIND_HOST: '0.0.0.0' },
    { BIND_HOST: '::' },
    { BIND_HOST: '10.1.2.3' },
    { ...loopback, QR_ADDRESS: 'qr:50051' },
    { ...loopback, QR_ADDRESS: 'dns:///qr.example:50051' },
    { ...loopback, QR_ADDRESS: 'dns://192.0.2.1/qr' },
    { ...loopback, QR_ADDRESS: 'ipv4:127.0.0.1:1,192.0.2.1:1' },
    { ...loopback, QR_ADDRESS: '[2001:db8::1]:50051' },
    { ...loopback, QR_ADDRESS: 'dns://127.0.0.1/qr:1' },
    { ...loopback, QR_ADDRESS: 'xunix:/run/qr' },
    { ...loopback, QR_ADDRESS: 'xdns:///localhost:1' },
    { ...loopback, QR_ADDRESS: 'localhost:1:2' },
    { ...loopback, QR_ADDRESS: 'localhost:1x' },
    { ...loopback, QR_ADDRESS: 'qr:1\nlocalhost:1' },
    { ...loopback, QR_ADDRESS: 'localhost:1\nqr:1' },
  ])('prevents the start of a process with %j, unless RPC_INSECURE is true or TLS is configured', (env) => {
    const setting = env['QR_ADDRESS'] === undefined ? 'BIND_HOST' : 'QR_ADDRESS';
    expect(() => read(env)).toThrow(new RegExp(`^ {2}${setting}: .*RPC_TLS_CA.*RPC_INSECURE=true`, 'm'));
    expect(() => read({ ...env, RPC_INSECURE: 'false' })).toThrow(setting);
    expect(read({ ...env, RPC_INSECURE: 'true' }).RPC_INSECURE).toBe(true);
    expect(read({ ...env, ...tls })).toMatchObject(tls);
  });

  test.each([
    'localhost:1',
    '127.0.0.1:1',
    '127.8.9.1:1',
    '[::1]:1',
    'localhost',
    'localhost:50051',
    'dns:localhost:1',
    'dns:///localhost:1',
    'dns://192.0.2.1/localhost:1',
    'ipv6:[::1]:1',
    'ipv4:127.0.0.1:1,127.0.0.2:1',
    'unix-abstract:qr',
    'ipv4:127.0.0.1:1',
    'unix:/run/qr',
  ])('is allowed for the service address %s', (address) => void read({ ...loopback, QR_ADDRESS: address }));

  test('does not prevent a process that only calls services from listening beyond loopback', () => {
    const settings = { ...processSettings, QR_ADDRESS: rpcAddress };
    const env = { BIND_HOST: '0.0.0.0', QR_ADDRESS: 'localhost:1' };
    expect(readConfig(withSecureRpc(z.object(settings)), env)).toMatchObject(env);
    const serving = z.object({ ...settings, ...rpcSettings('links') });
    expect(
      readConfig(
        withSecureRpc(serving, ({ RPC_PORT }) => RPC_PORT !== 0),
        { ...env, RPC_PORT: '0' },
      ),
    ).toMatchObject(env);
  });

  test('is reported together with every other problem', () => {
    const problems = () => read({ QR_ADDRESS: 'qr:1', RPC_PORT: 'x', LOG_LEVEL: 'loud' });
    for (const setting of ['BIND_HOST', 'QR_ADDRESS', 'RPC_PORT', 'LOG_LEVEL']) expect(problems).toThrow(setting);
  });
});

test('TLS requires all of its settings', () => {
  const problems = ['RPC_TLS_KEY: must be set together with RPC_TLS_CA and RPC_TLS_CERT'];
  expect(() => read({ ...tls, RPC_TLS_KEY: '' })).toThrow(expect.objectContaining({ problems }));
});

test('RPC_ACCEPTED_NAMES defaults to the callers of the service', () => {
  expect(read(loopback).RPC_ACCEPTED_NAMES).toEqual(['gateway', 'qr']);
  expect(read({ ...loopback, RPC_ACCEPTED_NAMES: 'gateway.staging' }).RPC_ACCEPTED_NAMES).toEqual(['gateway.staging']);
  expect(() => read({ ...loopback, RPC_ACCEPTED_NAMES: ',' })).toThrow('RPC_ACCEPTED_NAMES: must contain a name');
});
