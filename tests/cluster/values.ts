// Prints the chart values that the cluster suites need: two pods of every workload, an Ingress on a free loopback port,
// and the settings of the stack that the end-to-end suites share.
import { freePort } from '@tautan/kit/testing';
import { configurableSettings, workloads } from '../chart/workloads.js';
import { sharedSettings } from '../support/shared-stack-setup.js';
import { liftedLimits } from '../support/stack.js';

const settings = Object.entries({ ...liftedLimits, ...sharedSettings });
const settingsOf = (workload: (typeof workloads)[string]): Record<string, string> =>
  Object.fromEntries(settings.filter(([name]) => configurableSettings(workload).includes(name)));

const values = {
  publicUrl: `http://localhost:${await freePort()}`,
  // nginx runs on the node. Its requests pass through kube-proxy and arrive at the pods from these addresses.
  trustedProxies: ['10.0.0.0/8', '127.0.0.0/8', '192.0.2.0/24'],
  routes: { ingress: { enabled: true } },
  // Clients resolve the names of gRPC services every 10 s, and the test cluster's name servers cache each answer for
  // 5 s.
  preStopSeconds: { grpc: 15 },
  defaults: { replicas: 2 },
  ...Object.fromEntries(Object.entries(workloads).map(([name, each]) => [name, { settings: settingsOf(each) }])),
};
process.stdout.write(`${JSON.stringify(values, null, 2)}\n`);
