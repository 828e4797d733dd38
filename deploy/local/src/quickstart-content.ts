import { serviceNames } from '@tautan/proto/services';
import type { Demo } from './demo-file.js';
import type { Quickstart, RunningService } from './quickstart.js';
import { INNER_HOST as host, processesOf, type Layout, type RoleName } from './roles.js';

/**
 * The id of a process, and its ports, keyed by `<purpose>`, or by `<service>.<purpose>` if it runs several services.
 * The id is undefined while the process is not running, and the ports are undefined while it is not ready.
 */
export interface ProcessFacts {
  pid: number | undefined;
  ports: Record<string, number> | undefined;
}

const servicesByRole: Partial<Record<RoleName, readonly string[]>> = {
  gateway: ['gateway'],
  redirect: ['redirect'],
  services: serviceNames,
};

/** Returns the current content of quickstart.json. Processes that are not ready are omitted. */
export function quickstartContent(
  layout: Layout,
  demo: Demo & { signInUrl: string | undefined },
  processOf: (name: string) => ProcessFacts | undefined,
): Quickstart {
  const { baseUrl, mongodbUri, natsUrl, ports, settings, identity, payments } = layout;
  const runningProcess = (name: string): { pid: number; ports: Record<string, number> } | undefined => {
    const { pid, ports } = processOf(name) ?? {};
    return pid !== undefined && ports ? { pid, ports } : undefined;
  };
  const pidOf = (name: RoleName) => (runningProcess(name) ? { pid: runningProcess(name)!.pid } : {});
  return {
    baseUrl,
    apiKey: demo.apiKey,
    workspaceId: demo.workspaceId,
    ...(demo.person && demo.signInUrl !== undefined && { person: { ...demo.person, signInUrl: demo.signInUrl } }),
    identity: { url: identity.url, clientId: identity.clientId, deviceClientId: identity.deviceClientId },
    ...(payments && { payments: { url: payments.url, secretKey: payments.secretKey } }),
    mongodb: { engine: settings.MONGODB_URI ? 'external' : 'embedded', uri: mongodbUri, ...pidOf('engine') },
    nats: { engine: settings.NATS_URL ? 'external' : 'embedded', url: natsUrl, ...pidOf('broker') },
    services: [
      // Replicas with a lower index come first, because a lookup by name returns the first match.
      ...processesOf(settings)
        .toSorted((one, other) => one.index - other.index)
        .flatMap(({ role, name }) => {
          const running = runningProcess(name);
          return running ? (servicesByRole[role] ?? []).map((service) => serviceOf(service, running, host)) : [];
        }),
      { name: 'supervisor', pid: process.pid, http: baseUrl, admin: `http://${host}:${ports.admin}` },
    ],
  };
}

function serviceOf(
  name: string,
  running: { pid: number; ports: Record<string, number> },
  host: string,
): RunningService {
  // A process with several services names their ports `<service>.<purpose>`.
  const portFor = (purpose: string) => running.ports[`${name}.${purpose}`] ?? running.ports[purpose];
  const [grpc, http, admin, operator] = ['grpc', 'http', 'admin', 'operator'].map(portFor);
  return {
    name,
    pid: running.pid,
    ...(grpc !== undefined && { grpc: `${host}:${grpc}` }),
    ...(http !== undefined && { http: `http://${host}:${http}` }),
    ...(admin !== undefined && { admin: `http://${host}:${admin}` }),
    ...(operator !== undefined && { operator }),
  };
}
