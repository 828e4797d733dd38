import { expect, test } from '@jest/globals';
import { plansOf } from '@tautan/plans';
import { defaultPlans } from '@tautan/proto';
import { readGatewayConfig } from './config.js';
import { start } from './main.js';
import { gatewayConfig } from './testing/gateway.js';

const minimal = { LINKS_ADDRESS: 'localhost:1', WORKSPACES_ADDRESS: '[::1]:2', NATS_URL: 'nats://nats:4222' };

test('requires only the addresses of NATS, the link service and the workspaces service', () => {
  const config = readGatewayConfig(minimal);
  expect(plansOf(config)).toEqual(defaultPlans);
  expect([config.RATE_LIMIT_PUBLIC, config.RATE_LIMIT_AUTH]).toEqual([60, 10]);
  expect(config.WEBHOOKS_ADDRESS).toBeUndefined();
  expect([config.CORS_ORIGINS, config.TRUSTED_PROXIES, config.RPC_TIMEOUT_MS]).toEqual([[], [], 3_000]);
});

test('reports all problems in one message', () => {
  const wrong = {
    NATS_URL: 'http://x',
    CORS_ORIGINS: 'https://app.example.com/path',
    TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
    PLAN_FREE: '20',
    RATE_LIMIT_AUTH: '0',
    BASE_URL: 'ftp://x',
    REDIS_URL: 'http://x',
    GATEWAY_PORT: '70000',
  };
  const names = [...Object.keys(wrong), 'LINKS_ADDRESS', 'WORKSPACES_ADDRESS'];
  const message = (() => {
    try {
      readGatewayConfig(wrong);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  for (const name of names) expect(message).toMatch(new RegExp(`^ {2}${name}: `, 'm'));
});

test('lowercases the host of BASE_URL, removes its trailing slash, and rejects a path', () => {
  expect(readGatewayConfig({ ...minimal, BASE_URL: 'https://Go.example.com/' }).BASE_URL).toBe(
    'https://go.example.com',
  );
  expect(() => readGatewayConfig({ ...minimal, BASE_URL: 'https://go.example.com/path' })).toThrow('BASE_URL: ');
});

test.each(['RATE_LIMITS_FREE', 'RATE_LIMITS_PRO', 'RATE_LIMITS_BUSINESS'])(
  'rejects %s and names its replacement',
  (name) => {
    const plan = name.replace('RATE_LIMITS', 'PLAN');
    expect(() => readGatewayConfig({ ...minimal, [name]: '20/4' })).toThrow(`${name}: was replaced by ${plan}`);
  },
);

test('takes the maximum duration of a drain from DRAIN_TIMEOUT_MS', async () => {
  const running = await start(gatewayConfig('127.0.0.1:1', { DRAIN_TIMEOUT_MS: '20000' }));
  await running.stop();
  expect(running.drainMs).toBe(20_000);
});
