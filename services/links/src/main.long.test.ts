import { afterEach, describe, expect, test } from '@jest/globals';
import type { Running } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { refusesCalls, startRunningCall, until } from '@tautan/kit/testing';
import { rpcServices } from '@tautan/proto/rpc';
import { readLinksConfig } from './config.js';
import { start } from './main.js';
import { aPrincipal } from './testing/service.js';

let running: Running | undefined;
afterEach(() => running?.stop());

const unreachable = {
  ROLES: 'api',
  LOG_LEVEL: 'silent',
  BIND_HOST: '127.0.0.1',
  BASE_URL: 'https://go.example.com',
  RPC_PORT: '0',
  OPERATOR_PORT: '0',
  ADMIN_PORT: '0',
  MONGODB_URI: 'mongodb://127.0.0.1:1',
  NATS_URL: 'nats://127.0.0.1:1',
};

describe('the service', () => {
  test('starts without the database and the bus, reports that it is not ready, and responds with SERVICE_UNAVAILABLE', async () => {
    running = await start(readLinksConfig(unreachable));
    const ready = await fetch(`http://127.0.0.1:${running.ports['admin']}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, 'not ready: mongodb, api\ndegraded: nats\n']);
    const client = rpcClient(rpcServices.links, { address: `127.0.0.1:${running.ports['grpc']}` });
    const by = aPrincipal();
    const options = { requestId: by.requestId, principal: by, timeoutMs: 3_000 };
    const unavailable = { code: 'SERVICE_UNAVAILABLE' };
    await expect(client.call('ListLinks', { limit: 5 }, options)).rejects.toMatchObject(unavailable);
    await expect(client.call('CreateLink', { url: 'https://example.com' }, options)).rejects.toMatchObject(unavailable);
    client.close();
  });

  test('does not start if a port is in use, and names the port', async () => {
    running = await start(readLinksConfig(unreachable));
    const taken = { ...unreachable, RPC_PORT: String(running.ports['grpc']) };
    await expect(start(readLinksConfig(taken))).rejects.toThrow(`Port ${taken.RPC_PORT} on 127.0.0.1`);
  });

  test('refuses new calls once it is stopping, without waiting for a running operator call', async () => {
    running = await start(readLinksConfig(unreachable));
    const { grpc, operator } = running.ports;
    const call = await startRunningCall(operator!);
    const stopped = running.stop();
    await until(() => refusesCalls(grpc!));
    expect(call.isRunning()).toBe(true);
    call.end();
    await stopped;
  });
});
