export { Breaker } from './breaker.js';
export { serveRpc, rpcTable, type Call, type Handlers, type RpcTable } from './server.js';
export { rpcClient, type CallOptions, type RpcClient, type RpcClientOptions } from './client.js';
export type { CallerContext } from './metadata.js';
export type { Methods, RequestIn, ResponseOut, Tls } from './types.js';
export { PeerHealth } from './peer-health.js';
export { forCall } from './for-call.js';
