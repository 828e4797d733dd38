import { Registry, type Running } from '@tautan/kit';
import { createCertificateAuthority } from '@tautan/kit/testing';
import { readBillingConfig, start as startBilling } from '@tautan/billing';
import { readGatewayConfig, start as startGateway } from '@tautan/gateway';
import { readLinksConfig, start as startLinks } from '@tautan/links';
import { addressSettings } from '@tautan/proto/callers';
import type { containerProcesses } from '@tautan/proto/services';
import { readQrConfig, start as startQr } from '@tautan/qr';
import { readWebhooksConfig, start as startWebhooks } from '@tautan/webhooks';
import { readWorkspacesConfig, start as startWorkspaces } from '@tautan/workspaces';

type Env = Record<string, string>;

/** Functions that start a service with the given environment variables, keyed by the name of the service. */
const starts: Record<(typeof containerProcesses)[number], (env: Env) => Promise<Running>> = {
  billing: (env) => startBilling(readBillingConfig(env)),
  gateway: (env) => startGateway(readGatewayConfig(env)),
  links: (env) => startLinks(readLinksConfig(env)),
  qr: (env) => startQr(readQrConfig(env)),
  webhooks: (env) => startWebhooks(readWebhooksConfig(env)),
  workspaces: (env) => startWorkspaces(readWorkspacesConfig(env)),
};

// The environment configures all features, so that services declare all metrics. They do so at start, even if the
// servers in their settings cannot be reached.
const unreachable = '127.0.0.1:1';
const environment: Env = {
  LOG_LEVEL: 'silent',
  BIND_HOST: '127.0.0.1',
  OPERATOR_PORT: '0',
  ADMIN_PORT: '0',
  RPC_PORT: '0',
  GATEWAY_PORT: '0',
  REDIRECT_PORT: '0',
  BASE_URL: 'https://go.example.com',
  MONGODB_URI: `mongodb://${unreachable}`,
  NATS_URL: `nats://${unreachable}`,
  REDIS_URL: `redis://${unreachable}`,
  ...Object.fromEntries(addressSettings.map((name) => [name, unreachable])),
  ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
  IDENTITY_URL: `http://${unreachable}`,
  IDENTITY_AUDIENCE: 'tautan',
  IDENTITY_CLIENT_ID: 'tautan',
  PAYMENT_SECRET_KEY: 'sk_test_x',
  PAYMENT_WEBHOOK_SECRET: 'whsec_x',
};

/** A metric of `prom-client`, whose types lack `labelNames`. */
interface DeclaredMetric {
  name: string;
  help: string;
  type: string;
  labelNames?: readonly string[];
}

export interface RunningService {
  service: string;
  metrics: DeclaredMetric[];
  /** URL of the admin port. */
  admin: string;
}

/**
 * Starts all services in this process, calls `work` with their metrics, then stops them. `spillDir` is an empty folder
 * for spill files.
 */
export async function withServices<T>(spillDir: string, work: (services: RunningService[]) => Promise<T>): Promise<T> {
  const original = Object.getOwnPropertyDescriptor(Registry.prototype, 'registerMetric')!;
  const registerMetric = original.value as Registry['registerMetric'];
  const services: RunningService[] = [];
  const running: Running[] = [];
  const authority = createCertificateAuthority();
  const { cert, key } = authority.issue('gateway');
  // Some metrics exist only with mutual TLS.
  const tls = { RPC_TLS_CA: authority.ca, RPC_TLS_CERT: cert, RPC_TLS_KEY: key };
  try {
    for (const [service, start] of Object.entries(starts)) {
      const metrics: DeclaredMetric[] = [];
      Registry.prototype.registerMetric = function (this: Registry, metric) {
        metrics.push(metric as unknown as DeclaredMetric);
        return registerMetric.call(this, metric);
      };
      const started = await start({ ...environment, ...tls, SPILL_DIR: spillDir });
      running.push(started);
      services.push({ service, metrics, admin: `http://127.0.0.1:${started.ports['admin']}` });
    }
    return await work(services);
  } finally {
    Object.defineProperty(Registry.prototype, 'registerMetric', original);
    await Promise.all(running.map((each) => each.stop()));
  }
}
