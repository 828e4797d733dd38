import type { ProcessMessage } from '@tautan/proto';
import { containerProcesses } from '@tautan/proto/services';
import { command } from '../command.js';
import { table } from '../output.js';

interface Status {
  processes: ProcessMessage[];
  complete: boolean;
}

/** Services of a complete installation. */
const services = [...containerProcesses].sort();

function textOf({ processes, complete }: Status): string {
  const stateOf = ({ connections }: ProcessMessage): string =>
    connections.map(({ name, connected }) => `${name} ${connected ? 'ok' : 'LOST'}`).join(', ');
  const rows = processes.map((one) => [one.service, one.host, one.version, one.node, one.startedAt, stateOf(one)]);
  const silent = services.filter((name) => processes.every(({ service }) => service !== name));
  const notes = complete
    ? silent.map((name) => `No process of the ${name} service responded.`)
    : ['The bus is not connected, so the status of other processes is unknown.'];
  return [table(['SERVICE', 'HOST', 'VERSION', 'NODE', 'STARTED', 'CONNECTIONS'], rows), ...notes].join('\n\n');
}

export const status = command<Status>({
  name: 'status',
  summary: 'Show versions and connections of all processes; exits with 1 if a connection is lost',
  rpc: 'ListProcesses',
  hintWorkload: 'workspaces',
  run: ({ service }) => service.call('processes', 'ListProcesses', {}),
  text: textOf,
  failed: ({ processes, complete }) =>
    !complete || processes.some(({ connections }) => connections.some(({ connected }) => !connected)),
});
