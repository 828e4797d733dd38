import { createLog, createMetrics, fail } from '@tautan/kit';
import { rpcClient, rpcTable, serveRpc, type Call, type Methods, type RequestIn } from '@tautan/kit/rpc';
import type { QrRoutesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';

type Method = Methods<QrRoutesDefinition>;

/** What goes wrong at calls of a method: before the link service hears of them, or after it has done them. */
export interface Fault {
  method: Method;
  when: 'before' | 'after';
  /** Resolves, and the call fails then; or throws what it fails with. */
  happen(): Promise<void>;
}

export type Front = Awaited<ReturnType<typeof startFront>>;

/** A way to the link service that can be broken: whatever passes is its own word. */
export async function startFront(linksAddress: string) {
  const client = rpcClient(rpcServices.qrRoutes, { address: linksAddress });
  let fault: Fault | undefined;
  let delayed: { method: Method; released: Promise<void>; reached: () => void } | undefined;
  const tried: Method[] = [];
  const passed: Method[] = [];

  const strike = async (method: Method, when: Fault['when']): Promise<void> => {
    if (fault?.method !== method || fault.when !== when) return;
    await fault.happen();
    throw fail('SERVICE_UNAVAILABLE', 'The way is cut.');
  };
  const delay = async (method: Method): Promise<void> => {
    if (delayed?.method !== method) return;
    const { released, reached } = delayed;
    delayed = undefined;
    reached();
    await released;
  };
  const pass =
    <M extends Method>(method: M) =>
    async (call: Call, request: unknown) => {
      const principal = call.principalOrNull();
      tried.push(method);
      await strike(method, 'before');
      passed.push(method);
      const { requestId, deadline } = call;
      const options = { requestId, timeoutMs: deadline - Date.now(), ...(principal && { principal }) };
      const answer = await client.call(method, request as RequestIn<QrRoutesDefinition, M>, options);
      await strike(method, 'after');
      await delay(method);
      return answer;
    };

  const server = await serveRpc({
    port: 0,
    host: '127.0.0.1',
    tables: [
      rpcTable(rpcServices.qrRoutes, {
        PutQrRoute: pass('PutQrRoute'),
        RemoveQrRoute: pass('RemoveQrRoute'),
        ListQrRoutes: pass('ListQrRoutes'),
        ListEndedQrRoutes: pass('ListEndedQrRoutes'),
        FindTags: pass('FindTags'),
      }),
    ],
    log: createLog('front', 'silent'),
    registry: createMetrics('front'),
  });
  return {
    address: `127.0.0.1:${server.port}`,
    /** Calls that were made, and those that reached the link service. */
    tried,
    passed,
    /** Makes calls of a method fail until `mend`. */
    breakAt: (method: Method, when: Fault['when'], happen: Fault['happen'] = async () => {}) => {
      fault = { method, when, happen };
    },
    /** Delays the answer to the next call of a method, as it was given, until `release`. Resolves once it was given. */
    delayNext: (method: Method): { given: Promise<void>; release: () => void } => {
      let [release, reached] = [() => {}, () => {}];
      const released = new Promise<void>((resolve) => (release = resolve));
      const given = new Promise<void>((resolve) => (reached = resolve));
      delayed = { method, released, reached };
      return { given, release };
    },
    mend: () => void (fault = undefined),
    stop: async () => {
      await server.stop(100);
      client.close();
    },
  };
}
