import { readGatewayConfig, start, type GatewayConfig } from '../index.js';
import { client, type Client } from './client.js';
import { startTestServices, type TestServices } from './services.js';

export interface TestGateway extends Client {
  url: string;
  adminUrl: string;
  services: TestServices;
  stop(): Promise<void>;
}

/** Settings of a gateway on free ports, for services at one address. */
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
    // Nothing listens on port 1, so the gateway runs without a broker.
    NATS_URL: 'nats://127.0.0.1:1',
    PLAN_BUSINESS: '{"rateLimits":{"read":100000,"write":100000}}',
    RATE_LIMIT_PUBLIC: '100000',
    ...settings,
  });

/** A gateway on free ports with test services. */
export async function startGateway(settings: Record<string, string> = {}): Promise<TestGateway> {
  const services = await startTestServices();
  const gateway = await start(gatewayConfig(services.address, settings)).catch(async (error: unknown) => {
    await services.stop();
    throw error;
  });
  const url = `http://127.0.0.1:${gateway.ports['http']}`;
  return {
    ...client(url, services.key),
    url,
    adminUrl: `http://127.0.0.1:${gateway.ports['admin']}`,
    services,
    stop: async () => {
      await gateway.stop();
      await services.stop();
    },
  };
}
