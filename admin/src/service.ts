import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type Methods, type RequestIn, type ResponseOut } from '@tautan/kit/rpc';
import { operatorServices } from '@tautan/proto/rpc';
import { AdminError, asAdminError } from './errors.js';

type Services = typeof operatorServices;

/** The operators' listener of the service beside which the command runs. */
export interface Service {
  /** Calls it. Throws an AdminError. */
  call<S extends keyof Services, M extends Methods<Services[S]>>(
    service: S,
    method: M,
    request: RequestIn<Services[S], M>,
  ): Promise<ResponseOut<Services[S], M>>;
  /** Throws an AdminError unless the service answers and serves a call; `where` says which one does. */
  assertServes(call: string, where: string, command: string): Promise<void>;
  close(): void;
}

/** Time for one call, milliseconds: the longest that a service allows. Rebuilding a day reads all its clicks. */
const TIMEOUT_MS = 600_000;
/** Time for the first answer, milliseconds. */
const FIRST_TIMEOUT_MS = 10_000;

/** Opens the listener on a port of this host. */
export function openService(port: number): Service {
  const address = `127.0.0.1:${port}`;
  const clients = Object.fromEntries(
    Object.entries(operatorServices).map(([name, definition]) => [
      name,
      rpcClient(definition as Services['processes'], { address }),
    ]),
  ) as Record<keyof Services, ReturnType<typeof rpcClient<Services['processes']>>>;
  const requestId = newId('req');
  const ask = async (service: keyof Services, method: string, request: unknown, timeoutMs = TIMEOUT_MS) => {
    try {
      return await clients[service].call(method as 'GetProcess', request as object, { requestId, timeoutMs });
    } catch (error) {
      throw asAdminError(error);
    }
  };
  return {
    call: ((service, method, request) => ask(service, method, request)) as Service['call'],
    assertServes: async (call, where, command) => {
      const { service, calls } = await clients.processes
        .call('GetProcess', {}, { requestId, timeoutMs: FIRST_TIMEOUT_MS })
        .catch((error: unknown) => {
          throw faultCode(error) === 'SERVICE_UNAVAILABLE' ? noService(address) : asAdminError(error);
        });
      if (!calls.includes(call)) throw otherService(service, where, command);
    },
    close: () => Object.values(clients).forEach((client) => client.close()),
  };
}

const run = (where: string, command: string): string =>
  `kubectl exec deploy/tautan-${where} -- tautan-admin ${command}`;

const noService = (address: string) =>
  new AdminError('unavailable', `No service answers operators on ${address}.`, {
    code: 'SERVICE_UNAVAILABLE',
    hint: `Run the command where a service runs, for example: ${run('workspaces', 'status')}. The service listens on OPERATOR_PORT.`,
  });

const otherService = (service: string, where: string, command: string) =>
  new AdminError('usage', `This is a process of the ${service} service, which does not serve '${command}'.`, {
    hint: `Run it where it is served: ${run(where, command)}`,
  });
