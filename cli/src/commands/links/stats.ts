import { Readable } from 'node:stream';
import { Option } from 'commander';
import { command } from '../../command.js';
import { bodyOf } from '../../export/body.js';
import { save, saveOptions, type SaveOptions } from '../../export/save.js';
import { linkStatsOf } from '../../output/stats-of.js';
import { statsText } from '../../output/stats.js';
import { statsOptions, type StatsOptions } from '../stats.js';
import { findLink } from '../find.js';
import { domainOption, linkArgument } from './fields.js';

interface Options extends StatsOptions {
  domain?: string;
}

const exportStats = command<Options & SaveOptions & { format?: 'csv' | 'json' }>({
  name: 'export',
  summary: 'Export the statistics of a link to standard output or a file',
  args: [linkArgument()],
  options: [
    ...statsOptions(),
    new Option('--format <format>', 'format of the file (default: csv; json with --json)').choices(['csv', 'json']),
    ...saveOptions(),
    domainOption(),
  ],
  examples: ['links stats export spring --from 2030-01-01 --output spring.csv'],
  run: (context, options, idOrSlug) => {
    const { output, force, domain, format = context.json ? 'json' : 'csv', from, to, granularity, tz } = options;
    return save(context, { ...(output !== undefined && { output }), ...(force && { force }) }, async () => {
      const api = context.api();
      const { id } = await findLink(api, idOrSlug, domain);
      const call = { path: { id }, query: { format, from, to, granularity, tz } };
      if (format === 'csv') return bodyOf(await api.fetch('/links/{id}/stats/export', call));
      return Readable.from([`${JSON.stringify(await api.get('/links/{id}/stats/export', call))}\n`]);
    });
  },
});

export const linkStats = command<Options>({
  name: 'stats',
  summary: 'Show the clicks of a link: over time, by country, device and referrer',
  args: [linkArgument()],
  options: [...statsOptions(), domainOption()],
  examples: ['links stats spring --from 2030-01-01 --tz Asia/Jakarta', 'links stats export spring > spring.csv'],
  commands: [exportStats],
  run: async ({ api, terminal, json }, { domain, ...query }, idOrSlug) => {
    const client = api();
    const { id } = await findLink(client, idOrSlug, domain);
    const { from, to, granularity, tz } = query;
    const stats = await client.get('/links/{id}/stats', { path: { id }, query: { from, to, granularity, tz } });
    if (json) terminal.printJson(stats);
    else terminal.print(statsText(linkStatsOf(stats), terminal));
  },
});
