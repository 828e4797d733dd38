import { operatorServices } from '@tautan/proto/rpc';
import type { Bus } from '../bus/index.js';
import { rpcTable, serveRpc, type RpcServerOptions, type RpcTable } from '../rpc/index.js';
import { Processes, type ProcessFacts } from './processes.js';

/**
 * The address of the listener. Whoever can reach it can already run commands on this host (in Kubernetes: in this pod).
 */
const LOOPBACK = '127.0.0.1';

interface OperatorOptions extends Pick<RpcServerOptions, 'port' | 'tables' | 'log' | 'registry' | 'explain'> {
  bus: Bus;
  service: string;
  connections: ProcessFacts['connections'];
}

/**
 * Serves operator calls, on loopback only. They need no principal and no TLS. They are accepted even while the database
 * or the bus is unavailable; only calls that need the unavailable one then fail.
 */
export function serveOperators({ bus, service, connections, tables, ...options }: OperatorOptions) {
  const calls = [operatorServices.processes, ...tables.map(({ handlers }) => handlers)].flatMap(Object.keys);
  const processes = new Processes(bus, { service, connections, calls });
  return serveRpc({ ...options, host: LOOPBACK, tables: [processTable(processes), ...tables] });
}

const processTable = (processes: Processes): RpcTable =>
  rpcTable(operatorServices.processes, {
    GetProcess: () => processes.describe(),
    ListProcesses: () => processes.list(),
  });
