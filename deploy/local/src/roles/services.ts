import { readBillingConfig, start as startBilling } from '@tautan/billing';
import { type Running } from '@tautan/kit';
import { readLinksConfig, start as startLinks } from '@tautan/links';
import type { ServiceName } from '@tautan/proto/services';
import { readQrConfig, start as startQr } from '@tautan/qr';
import { readWebhooksConfig, start as startWebhooks } from '@tautan/webhooks';
import { readWorkspacesConfig, start as startWorkspaces } from '@tautan/workspaces';
import { demoFunctions } from '../demo.js';
import { serveCalls } from '../process-calls.js';

/** Starts all services that share a process. HOSTED contains the settings of each as JSON. */
export async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const hosted = JSON.parse(env['HOSTED']!) as Record<ServiceName, NodeJS.ProcessEnv>;
  const starts: Record<ServiceName, Promise<Running>> = {
    links: startLinks(readLinksConfig({ ...env, ...hosted.links })),
    workspaces: startWorkspaces(readWorkspacesConfig({ ...env, ...hosted.workspaces })),
    webhooks: startWebhooks(readWebhooksConfig({ ...env, ...hosted.webhooks })),
    qr: startQr(readQrConfig({ ...env, ...hosted.qr })),
    billing: startBilling(readBillingConfig({ ...env, ...hosted.billing })),
  };
  const ports: Record<string, number> = {};
  const running: Running[] = [];
  await Promise.all(
    Object.entries(starts).map(async ([name, starting]) => {
      const one = await starting;
      running.push(one);
      for (const [purpose, port] of Object.entries(one.ports)) ports[`${name}.${purpose}`] = port;
    }),
  );
  const host = env['BIND_HOST'];
  serveCalls(
    demoFunctions({
      rpc: `${host}:${ports['workspaces.grpc']}`,
      operator: `${host}:${ports['workspaces.operator']}`,
    }),
  );
  return { ports, stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}
