import type { Principal } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { until } from '@tautan/kit/testing';
import { rpcServices } from '@tautan/proto/rpc';
import { readLinksConfig } from '../config.js';
import { start } from '../main.js';

/** Starts another replica of a test service, on the same database. `settings` are those of the service. */
export async function startReplica(settings: Record<string, string>) {
  const running = await start(readLinksConfig(settings));
  await until(async () => (await fetch(`http://127.0.0.1:${running.ports['admin']}/readyz`)).ok);
  const address = `127.0.0.1:${running.ports['grpc']}`;
  const links = rpcClient(rpcServices.links, { address });
  const domains = rpcClient(rpcServices.domains, { address });
  const usage = rpcClient(rpcServices.usage, { address });
  return {
    /** Calls by a principal, each with a timeout of `timeoutMs`. */
    as: (principal: Principal, timeoutMs = 10_000) => {
      const options = { requestId: principal.requestId, principal, timeoutMs };
      return {
        createLink: (fields: object = {}) =>
          links.call('CreateLink', { url: 'https://example.com/', ...fields }, options),
        addDomain: (domain: string) => domains.call('AddDomain', { domain }, options),
        usage: async () => (await usage.call('GetUsage', {}, options)).used,
      };
    },
    stop: async () => {
      for (const client of [links, domains, usage]) client.close();
      await running.stop();
    },
  };
}
