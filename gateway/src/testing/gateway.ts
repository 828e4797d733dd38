import { readGatewayConfig, start, type GatewayConfig } from '../index.js';
import { client, type Client } from './client.js';
import { startPeers, type TestPeers } from './peers.js';

export interface TestGateway extends Client {
  url: string;
  adminUrl: string;
  peers: TestPeers;
  stop(): Promise<void>;
}

/** The settings of a gateway on free ports in front of peers that all have one address. */
export const gatewayConfig = (address: string, settings: Record<string, string> = {}): GatewayConfig =>
  readGatewayConfig({
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    GATEWAY_PORT: '0',
    LINKS_ADDRESS: address,
    WORKSPACES_ADDRESS: address,
    WEBHOOKS_ADDRESS: address,
    BILLING_ADDRESS: address,
    QR_ADDRESS: address,
    NATS_URL: 'nats://127.0.0.1:1',
    PLAN_BUSINESS: '{"rateLimits":{"read":100000,"write":100000}}',
    RATE_LIMIT_PUBLIC: '100000',
    ...settings,
  });

/** A gateway on free ports in front of test peers. */
export async function startGateway(settings: Record<string, string> = {}): Promise<TestGateway> {
  const peers = await startPeers();
  const gateway = await start(gatewayConfig(peers.address, settings)).catch(async (error: unknown) => {
    await peers.stop();
    throw error;
  });
  const url = `http://127.0.0.1:${gateway.addresses['http']}`;
  return {
    ...client(url, peers.key),
    url,
    adminUrl: `http://127.0.0.1:${gateway.addresses['admin']}`,
    peers,
    stop: async () => {
      await gateway.stop();
      await peers.stop();
    },
  };
}
