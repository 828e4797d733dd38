/** Utilities for the tests of all packages. Not used in production. */
export * as certificates from './certificates.js';
export {
  createCertificateAuthority,
  type CertificateAuthority,
  type CertificateFiles,
} from './certificate-authority.js';
export { startServers, type TestServers } from './servers.js';
export { startDatabase, type TestDatabase } from './database.js';
export { startDnsServer, type DnsServer, type DnsRecords } from './dns-server.js';
export { methodsOf, statusesOf } from './rpc-methods.js';
export { refusesCalls, startRunningCall, type RunningCall } from './running-call.js';
export { mountSecret, type MountedSecret } from './mounted-secret.js';
export { allowedMs } from './allowed-ms.js';
export { collectEvents } from './collect-events.js';
export { CookieClient } from './cookie-client.js';
export { delayCommand } from './delay-command.js';
export { eventually } from './eventually.js';
export * from './queries.js';
export { freePort } from './free-port.js';
export { brokerPrograms, startBrokerProcess, type BrokerProcess } from './broker-process.js';
export { NatsCluster, natsServerProgram, type RaftGroup } from './nats-cluster.js';
export { startWireProxy, type WireDocument, type WireProxy, type WireProxyOptions } from './wire-proxy.js';
export { startPasswordMongo, startX509Mongo, type PasswordMongo, type X509Mongo } from './authenticating-mongo.js';
export { until } from './until.js';
export { spansTo, startTraceCollector, type CollectedSpan, type TraceCollector } from './trace-collector.js';
export { startProcess, type ServiceProcess } from './service-process.js';
