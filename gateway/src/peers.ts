import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import {
  rpcServices,
  type ApiKeysDefinition,
  type IdempotencyDefinition,
  type LinksDefinition,
  type TagsDefinition,
} from '@tautan/proto';
import type { GatewayConfig } from './config.js';

/** The services behind the gateway. */
export interface Peers {
  links: RpcClient<LinksDefinition>;
  tags: RpcClient<TagsDefinition>;
  apiKeys: RpcClient<ApiKeysDefinition>;
  idempotency: RpcClient<IdempotencyDefinition>;
  close(): void;
}

/** Clients of all peers. Nothing is connected before the first call, so a peer that is away keeps nobody from starting. */
export function connectPeers(config: GatewayConfig): Peers {
  const tls = { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY };
  const to = <D>(address: string, definition: D, reads: string[]): RpcClient<D> =>
    rpcClient(definition, { address, tls, idempotent: reads });
  const clients = {
    links: to(config.LINKS_ADDRESS, rpcServices.links, ['GetLink', 'ListLinks']),
    tags: to(config.LINKS_ADDRESS, rpcServices.tags, ['ListTags']),
    apiKeys: to(config.WORKSPACES_ADDRESS, rpcServices.apiKeys, ['VerifyApiKey']),
    idempotency: to(config.WORKSPACES_ADDRESS, rpcServices.idempotency, []),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}
