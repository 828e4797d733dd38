import { createLog, createMetrics, fail } from '@tautan/kit';
import { rpcClient, rpcTable, serveRpc, type Call, type Methods, type RequestIn } from '@tautan/kit/rpc';
import type { QrRoutesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';

type Method = Methods<QrRoutesDefinition>;

/** A fault to inject into calls of a method, before or after the link service processes them. */
export interface Fault {
  method: Method;
  when: 'before' | 'after';
  /** Runs before the call fails with SERVICE_UNAVAILABLE. May throw another error to fail the call with it instead. */
  run(): Promise<void>;
}

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** Starts a proxy to the real link service that can inject faults. */
export async function startFaultProxy(linksAddress: string) {
  const client = rpcClient(rpcServices.qrRoutes, { address: linksAddress });
  let fault: Fault | undefined;
  let delayed: { method: Method; released: Promise<void>; markResponded: () => void } | undefined;
  const attempted: Method[] = [];
  const forwarded: Method[] = [];

  const injectFault = async (method: Method, when: Fault['when']): Promise<void> => {
    if (fault?.method !== method || fault.when !== when) return;
    await fault.run();
    throw fail('SERVICE_UNAVAILABLE', 'Injected fault.');
  };
  const delay = async (method: Method): Promise<void> => {
    if (delayed?.method !== method) return;
    const { released, markResponded } = delayed;
    delayed = undefined;
    markResponded();
    await released;
  };
  const forward =
    <M extends Method>(method: M) =>
    async (call: Call, request: unknown) => {
      const principal = call.principalOrNull();
      attempted.push(method);
      await injectFault(method, 'before');
      forwarded.push(method);
      const { requestId, deadline } = call;
      const options = { requestId, timeoutMs: deadline - Date.now(), ...(principal && { principal }) };
      const answer = await client.call(method, request as RequestIn<QrRoutesDefinition, M>, options);
      await injectFault(method, 'after');
      await delay(method);
      return answer;
    };

  const server = await serveRpc({
    port: 0,
    host: '127.0.0.1',
    tables: [
      rpcTable(rpcServices.qrRoutes, {
        PutQrRoute: forward('PutQrRoute'),
        RemoveQrRoute: forward('RemoveQrRoute'),
        ListQrRoutes: forward('ListQrRoutes'),
        ListEndedQrRoutes: forward('ListEndedQrRoutes'),
        FindTags: forward('FindTags'),
      }),
    ],
    log: createLog('fault-proxy', 'silent'),
    registry: createMetrics('fault-proxy'),
  });
  return {
    address: `127.0.0.1:${server.port}`,
    /** The methods of all calls. */
    attempted,
    /** The methods of the calls that reached the link service. */
    forwarded,
    /** Fails calls to a method until `restore` is called. */
    failOn: (method: Method, when: Fault['when'], run: Fault['run'] = async () => {}) => {
      fault = { method, when, run };
    },
    /**
     * Delays the response to the next call of a method until `release`. `responded` resolves once the link service has
     * responded.
     */
    delayNext: (method: Method): { responded: Promise<void>; release: () => void } => {
      let [release, markResponded] = [() => {}, () => {}];
      const released = new Promise<void>((resolve) => (release = resolve));
      const responded = new Promise<void>((resolve) => (markResponded = resolve));
      delayed = { method, released, markResponded };
      return { responded, release };
    },
    restore: () => void (fault = undefined),
    stop: async () => {
      await server.stop(100);
      client.close();
    },
  };
}
