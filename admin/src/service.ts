import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type Methods, type RequestIn, type ResponseOut } from '@tautan/kit/rpc';
import { operatorServices } from '@tautan/proto/rpc';
import { AdminError, asAdminError } from './errors.js';

type Services = typeof operatorServices;

/** A client of the operator listener on this host. */
export interface Service {
  /** Calls an RPC. Throws an AdminError. */
  call<S extends keyof Services, M extends Methods<Services[S]>>(
    service: S,
    method: M,
    request: RequestIn<Services[S], M>,
  ): Promise<ResponseOut<Services[S], M>>;
  /**
   * Throws an AdminError unless a service responds and serves the RPC. If it responds but does not serve the RPC, the
   * hint is to run `command` in a pod of the workload `hintWorkload`.
   */
  assertServes(call: string, hintWorkload: string, command: string): Promise<void>;
  close(): void;
}

/** Timeout of a call (ms): the longest that services accept, because rebuilding a day reads all of its clicks. */
const TIMEOUT_MS = 600_000;
/** Timeout of the first call (ms), which checks that a service responds. */
const FIRST_TIMEOUT_MS = 10_000;

/** Returns a client of the operator listener on a port. */
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
    assertServes: async (call, hintWorkload, command) => {
      const { service, calls } = await clients.processes
        .call('GetProcess', {}, { requestId, timeoutMs: FIRST_TIMEOUT_MS })
        .catch((error: unknown) => {
          throw faultCode(error) === 'SERVICE_UNAVAILABLE' ? noService(address) : asAdminError(error);
        });
      if (!calls.includes(call)) throw wrongService(service, hintWorkload, command);
    },
    close: () => Object.values(clients).forEach((client) => client.close()),
  };
}

const podCommand = (service: string, command: string): string =>
  `kubectl exec deploy/tautan-${service} -- tautan-admin ${command}`;

const noService = (address: string) =>
  new AdminError('unavailable', `No operator listener responds on ${address}.`, {
    code: 'SERVICE_UNAVAILABLE',
    hint: `Run the command in the pod of a service, for example: ${podCommand('workspaces', 'status')}. The service listens on OPERATOR_PORT.`,
  });

const wrongService = (service: string, hintWorkload: string, command: string) =>
  new AdminError('usage', `This is a process of the ${service} service, which does not serve '${command}'.`, {
    hint: `Run it in a pod of the ${hintWorkload} workload: ${podCommand(hintWorkload, command)}`,
  });
