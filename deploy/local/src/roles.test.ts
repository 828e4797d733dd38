import { expect, test } from '@jest/globals';
import { assignPorts, environmentOf, portCount, processesOf, type Layout } from './roles.js';
import { readSettings } from './settings.js';

const layoutOf = (REPLICAS: string): Layout => ({
  settings: readSettings({ REPLICAS, PAYMENT_SECRET_KEY: 'x', ENCRYPTION_KEYS: 'x' }),
  repair: false,
  ports: assignPorts(
    Number(REPLICAS),
    Array.from({ length: portCount(Number(REPLICAS)) }, (_, i) => 20_000 + i),
  ),
  baseUrl: 'http://localhost:8080',
  mongodbUri: 'mongodb://127.0.0.1',
  natsUrl: 'nats://127.0.0.1',
  identity: { url: 'http://localhost:1', clientId: 'tautan', deviceClientId: 'tautan-cli' },
  payments: undefined,
});

test('with REPLICAS=2 every process except the embedded servers runs twice, with separate ports and spill folders', () => {
  const layout = layoutOf('2');
  const processes = processesOf(layout.settings);
  expect(processes.map(({ name }) => name)).toEqual([
    'gateway',
    'gateway-2',
    'redirect',
    'redirect-2',
    'services',
    'services-2',
    'broker',
    'engine',
  ]);
  const [gateway, other, redirect, otherRedirect] = processes.map((each) => environmentOf(each, layout));
  expect(gateway!['GATEWAY_PORT']).not.toBe(other!['GATEWAY_PORT']);
  expect(redirect!['SPILL_DIR']).not.toBe(otherRedirect!['SPILL_DIR']);
});

test.each([
  [{}, { IDENTITY_AUDIENCE: 'http://localhost:8080/api/v1' }],
  [{ audience: 'https://api.example.com' }, { IDENTITY_AUDIENCE: 'https://api.example.com' }],
])('the stack sets only the audience and client ids of an external provider: %j', (settings, expected) => {
  const layout = layoutOf('1');
  const external = { ...layout, identity: { ...layout.identity, ...settings } };
  const { HOSTED } = environmentOf({ role: 'services', index: 0, name: 'services' }, external);
  const { workspaces } = JSON.parse(HOSTED!) as { workspaces: NodeJS.ProcessEnv };
  expect(workspaces).toMatchObject({
    ...expected,
    IDENTITY_CLIENT_ID: 'tautan',
    IDENTITY_DEVICE_CLIENT_ID: 'tautan-cli',
  });
  // The service reads the other settings of the provider from the environment of the stack.
  expect(workspaces).not.toHaveProperty('IDENTITY_ISSUER');
});

test('gRPC targets include all replicas of a service', () => {
  const layout = layoutOf('2');
  const { LINKS_ADDRESS } = environmentOf({ role: 'gateway', index: 1, name: 'gateway-2' }, layout);
  const [one, two] = layout.ports.replicas.map(({ links }) => links);
  expect(LINKS_ADDRESS).toBe(`ipv4:127.0.0.1:${one},127.0.0.1:${two}`);
  const alone = layoutOf('1');
  const address = environmentOf({ role: 'gateway', index: 0, name: 'gateway' }, alone)['LINKS_ADDRESS'];
  expect(address).toBe(`127.0.0.1:${alone.ports.replicas[0]!.links}`);
});
