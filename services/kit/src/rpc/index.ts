export { Breaker } from './breaker.js';
export { serveRpc, rpcTable, type Call, type Handlers, type RpcServerOptions, type RpcTable } from './server.js';
export { rpcClient, rpcConnections, type CallOptions, type RpcClient, type RpcClientOptions } from './client.js';
export { openCertificates, type Certificates } from './certificates.js';
export type { Connections } from './connections.js';
export type { CallerContext } from './metadata.js';
export type { Methods, RequestIn, ResponseOut } from './types.js';
export { PeerHealth } from './peer-health.js';
export { forCall, withCall, type CallDeps } from './for-call.js';
