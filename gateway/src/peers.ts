import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import {
  rpcServices,
  type ApiKeysDefinition,
  type IdempotencyDefinition,
  type IdentityDefinition,
  type LinksDefinition,
  type MembersDefinition,
  type SessionsDefinition,
  type TagsDefinition,
  type WorkspacesDefinition,
} from '@tautan/proto';
import type { GatewayConfig } from './config.js';

/** The services behind the gateway. */
export interface Peers {
  links: RpcClient<LinksDefinition>;
  tags: RpcClient<TagsDefinition>;
  workspaces: RpcClient<WorkspacesDefinition>;
  members: RpcClient<MembersDefinition>;
  identity: RpcClient<IdentityDefinition>;
  sessions: RpcClient<SessionsDefinition>;
  apiKeys: RpcClient<ApiKeysDefinition>;
  idempotency: RpcClient<IdempotencyDefinition>;
  close(): void;
}

/** Clients of all peers. Nothing is connected before the first call, so a peer that is away keeps nobody from starting. */
export function connectPeers(config: GatewayConfig): Peers {
  const tls = { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY };
  const to = <D>(address: string, definition: D, reads: string[]): RpcClient<D> =>
    rpcClient(definition, { address, tls, idempotent: reads });
  const { LINKS_ADDRESS: links, WORKSPACES_ADDRESS: workspaces } = config;
  const clients = {
    links: to(links, rpcServices.links, ['GetLink', 'ListLinks']),
    tags: to(links, rpcServices.tags, ['ListTags']),
    workspaces: to(workspaces, rpcServices.workspaces, ['GetWorkspace', 'ListWorkspaces']),
    members: to(workspaces, rpcServices.members, ['ListMembers']),
    identity: to(workspaces, rpcServices.identity, ['AuthenticatePerson', 'GetConfiguration']),
    sessions: to(workspaces, rpcServices.sessions, []),
    apiKeys: to(workspaces, rpcServices.apiKeys, ['VerifyApiKey', 'ListApiKeys']),
    idempotency: to(workspaces, rpcServices.idempotency, []),
  };
  return { ...clients, close: () => Object.values(clients).forEach((client) => client.close()) };
}
