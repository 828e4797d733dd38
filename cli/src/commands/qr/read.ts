import { Option } from 'commander';
import type { QrCode } from '../../api/records.js';
import { command, repeatable } from '../../command.js';
import { terminalQrCode } from '../../output/qr-code.js';
import { qrDetails, qrTable } from '../../output/qr.js';
import { qrStatsOf } from '../../output/stats-of.js';
import { statsText } from '../../output/stats.js';
import { findLink } from '../find.js';
import { noteMore, pageOptions, readPages, type PageOptions } from '../pages.js';
import { statsOptions, type StatsOptions } from '../stats.js';
import { findQrCode, qrArgument } from './fields.js';

interface ListOptions extends PageOptions {
  q?: string;
  tag?: string[];
  status?: QrCode['status'];
  link?: string;
}

export const listQrCodes = command<ListOptions>({
  name: 'list',
  summary: 'List QR codes, newest first',
  options: [
    ...pageOptions('list all QR codes'),
    new Option('--q <words>', 'words in title, slug or destination'),
    repeatable('--tag <name>', 'with this tag; if repeated, with all of them'),
    new Option('--status <status>', 'with this status').choices(['active', 'expired', 'archived']),
    new Option('--link <link>', 'of this link (id or slug)'),
  ],
  examples: ['qr list --tag poster', 'qr list --link spring --json'],
  run: async ({ api, terminal, json, suggest }, { limit, all, link, ...filters }) => {
    const client = api();
    const linkId = link === undefined ? undefined : (await findLink(client, link)).id;
    const { records, hasMore } = await readPages(
      (query) => client.page('/qr-codes', { query: { ...filters, linkId, ...query } }),
      { limit, all },
    );
    if (json) return terminal.printJson(records);
    const isFiltered = link !== undefined || Object.values(filters).some((value) => value !== undefined);
    if (records.length === 0 && isFiltered) return terminal.print('No QR codes match.');
    if (records.length === 0)
      return terminal.print(`No QR codes yet. Create one with:\n\n  ${suggest('qr create https://example.com')}`);
    terminal.print(qrTable(records, terminal.style, terminal.width));
    if (hasMore) noteMore(terminal, records.length);
  },
});

export const getQrCode = command({
  name: 'get',
  summary: 'Show a QR code',
  args: [qrArgument()],
  run: async ({ api, terminal, json }, _options, idOrSlug) => {
    const code = await findQrCode(api(), idOrSlug);
    if (json) return terminal.printJson(code);
    terminal.print(qrDetails(code, terminal.style));
    const drawn = await terminalQrCode(code.shortUrl, terminal);
    if (drawn) terminal.print(`\n${drawn}`);
  },
});

export const qrCodeStats = command<StatsOptions>({
  name: 'stats',
  summary: 'Show the scans of a QR code: over time, by country, device and referrer',
  args: [qrArgument()],
  options: statsOptions(),
  run: async ({ api, terminal, json }, { from, to, granularity, tz }, idOrSlug) => {
    const client = api();
    const { id } = await findQrCode(client, idOrSlug);
    const stats = await client.get('/qr-codes/{id}/stats', { path: { id }, query: { from, to, granularity, tz } });
    if (json) terminal.printJson(stats);
    else terminal.print(statsText(qrStatsOf(stats), terminal));
  },
});
