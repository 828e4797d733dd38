import { Argument } from 'commander';
import { command, type CommandGroup } from '../command.js';
import { details, table } from '../output.js';
import type { Service } from '../service.js';

const hintWorkload = 'workspaces';
const workspace = () => new Argument('<workspace>', 'id of the workspace');
const mint = (service: Service, workspaceId: string, label: string) =>
  service.call('workspaces', 'MintApiKey', { workspaceId, label });
const read = async (service: Service, workspaceId: string) =>
  (await service.call('workspaces', 'ListApiKeys', { workspaceId })).apiKeys;

const create = command<Awaited<ReturnType<typeof mint>>>({
  name: 'create',
  summary: 'Create an API key for a workspace and print it once',
  args: [workspace(), new Argument('<label>', 'label, such as the purpose of the key')],
  examples: ['keys create ws_01jd3x8q4v5w6y7z8a9b0c1d2e "nightly import"'],
  rpc: 'MintApiKey',
  hintWorkload,
  run: ({ service }, _options, workspaceId: string, label: string) => mint(service, workspaceId, label),
  text: ({ id, label, key }) =>
    `${details([
      ['id', id],
      ['label', label],
      ['key', key],
    ])}\n\nThis is the only time that the key is shown.`,
  quiet: ({ key }) => key,
});

const list = command<Awaited<ReturnType<typeof read>>>({
  name: 'list',
  summary: 'List the active API keys of a workspace, newest first',
  args: [workspace()],
  rpc: 'ListApiKeys',
  hintWorkload,
  run: ({ service }, _options, workspaceId: string) => read(service, workspaceId),
  text: (keys) => {
    if (keys.length === 0) return 'The workspace has no API keys.';
    const rows = keys.map((key) => [
      key.id,
      key.label,
      `${key.prefix}…`,
      key.lastUsedAt ?? 'never',
      key.createdAt,
      key.createdByType === 'system' ? 'operator' : key.createdById!,
    ]);
    return table(['ID', 'LABEL', 'KEY', 'LAST USED', 'CREATED', 'CREATED BY'], rows);
  },
});

const revoke = command<{ id: string }>({
  name: 'revoke',
  summary: 'Revoke an API key; requests with it are rejected within one second',
  args: [workspace(), new Argument('<key>', 'id of the key')],
  rpc: 'RevokeApiKey',
  hintWorkload,
  run: ({ service }, _options, workspaceId: string, id: string) =>
    service.call('workspaces', 'RevokeApiKey', { workspaceId, id }),
  text: ({ id }) => `Revoked ${id}.`,
});

export const keys: CommandGroup = {
  name: 'keys',
  summary: 'Create, list and revoke the API keys of a workspace',
  commands: [create, list, revoke],
};
