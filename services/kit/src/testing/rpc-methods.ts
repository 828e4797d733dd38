import { status as Status, type Client, type ServiceDefinition, type ServiceError } from '@grpc/grpc-js';
import type { RpcService } from '@tautan/proto/callers';
import { rpcServices } from '@tautan/proto/rpc';

type Method = Pick<ServiceDefinition[string], 'path' | 'responseStream'>;

const CALL_MS = 10_000;
const health: Method = { path: '/grpc.health.v1.Health/Check', responseStream: false };

/** Returns the methods that a service serves to other services, including health checks but not operator calls. */
export const methodsOf = (service: RpcService): Method[] => [
  health,
  ...Object.values(rpcServices)
    .flatMap((definition) => Object.values(definition as ServiceDefinition))
    .filter(
      ({ path }) =>
        path.startsWith(`/tautan.${service}.`) || (path.startsWith('/tautan.usage.') && service !== 'billing'),
    ),
];

/**
 * Calls each method once, with an empty request and a timeout of 10 s, and reads streams to the end. Returns the
 * statuses by path.
 */
export async function statusesOf(client: Client, methods: readonly Method[]): Promise<Record<string, Status>> {
  const found = await Promise.all(
    methods.map(async (method) => [method.path, await statusOf(client, method)] as const),
  );
  return Object.fromEntries(found);
}

const statusOf = (client: Client, { path, responseStream }: Method): Promise<Status> =>
  new Promise((resolve) => {
    const empty = (): Buffer => Buffer.alloc(0);
    const options = { deadline: Date.now() + CALL_MS };
    if (responseStream) {
      const stream = client.makeServerStreamRequest(path, empty, empty, {}, options);
      stream
        .on('status', ({ code }) => resolve(code))
        .on('error', () => undefined)
        .resume();
    } else
      client.makeUnaryRequest(path, empty, empty, {}, options, (error: ServiceError | null) =>
        resolve(error?.code ?? Status.OK),
      );
  });
