import { Argument } from 'commander';
import type { Workspace } from '../../api/records.js';
import { command } from '../../command.js';
import { details, printableOrNull } from '../../output/details.js';
import { workspaceStatsOf } from '../../output/stats-of.js';
import { statsText } from '../../output/stats.js';
import type { Style } from '../../output/style.js';
import { count, printable } from '../../output/text.js';
import { formatDateTime } from '../../output/times.js';
import { statsOptions, type StatsOptions } from '../stats.js';

const nameArgument = () => new Argument('<name>', 'name of the workspace');

const workspaceDetails = (workspace: Workspace, style: Style): string =>
  details(
    [
      ['Name', printable(workspace.name)],
      ['Role', printableOrNull(workspace.role)],
      ['Plan', printable(workspace.plan)],
      ['Links', count(workspace.linkCount)],
      ['QR codes', count(workspace.qrCodeCount)],
      ['Members', count(workspace.memberCount)],
      ['Created', formatDateTime(workspace.createdAt)],
      ['Id', workspace.id],
    ],
    style,
  );

export const getWorkspace = command({
  name: 'get',
  summary: 'Show the current workspace',
  run: async ({ api, terminal, json }) => {
    const workspace = await api().get('/workspaces/current');
    if (json) terminal.printJson(workspace);
    else terminal.print(workspaceDetails(workspace, terminal.style));
  },
});

export const createWorkspace = command({
  name: 'create',
  summary: 'Create a workspace; you become its owner',
  args: [nameArgument()],
  examples: ['workspaces create "Side project"'],
  run: async ({ api, terminal, json, suggest }, _options, name) => {
    const workspace = await api().post('/workspaces', { body: { name }, workspaceId: null });
    if (json) return terminal.printJson(workspace);
    terminal.print(`${terminal.style.green('✓')} Created ${printable(workspace.name)} (${workspace.id})`);
    terminal.print(`Switch to it with: ${suggest(`workspaces switch ${workspace.id}`)}`);
  },
});

export const renameWorkspace = command({
  name: 'rename',
  summary: 'Rename the current workspace',
  args: [nameArgument()],
  run: async ({ api, terminal, json }, _options, name) => {
    const workspace = await api().patch('/workspaces/current', { body: { name } });
    if (json) return terminal.printJson(workspace);
    terminal.print(`${terminal.style.green('✓')} Renamed the workspace to ${printable(workspace.name)}`);
  },
});

export const workspaceStats = command<StatsOptions>({
  name: 'stats',
  summary: 'Show clicks, scans and top links of the workspace',
  options: statsOptions(),
  examples: ['workspaces stats --from 2030-01-01 --to 2030-01-31 --tz Asia/Jakarta'],
  run: async ({ api, terminal, json }, options) => {
    const { from, to, granularity, tz } = options;
    const stats = await api().get('/workspaces/current/stats', { query: { from, to, granularity, tz } });
    if (json) terminal.printJson(stats);
    else terminal.print(statsText(workspaceStatsOf(stats, options), terminal));
  },
});
