import { Option } from 'commander';
import type { Link } from '../../api/records.js';
import { command, repeatable } from '../../command.js';
import { linkTable } from '../../output/link.js';
import type { Context } from '../../context.js';
import { noteMore, pageOptions, readPages, type PageOptions } from '../pages.js';

interface Options extends PageOptions {
  q?: string;
  tag?: string[];
  status?: Link['status'];
  domain?: string;
  createdBy?: string;
  createdFrom?: string;
  createdTo?: string;
  sort?: 'createdAt' | 'lastClickAt' | 'clickCount';
  order?: 'asc' | 'desc';
}

export const listLinks = command<Options>({
  name: 'list',
  summary: 'List links, newest first',
  options: [
    ...pageOptions('list all links'),
    new Option('--q <words>', 'words in slug, title, description or destination'),
    repeatable('--tag <name>', 'with this tag; if repeated, with all of them'),
    new Option('--status <status>', 'with this status').choices(['active', 'expired', 'archived']),
    new Option('--domain <domain>', 'on this custom domain; `default` for the default domain'),
    new Option('--created-by <id>', 'created by this user or API key'),
    new Option('--created-from <time>', 'created at this date or time, or later'),
    new Option('--created-to <time>', 'created at this date or time, or earlier'),
    new Option('--sort <key>', 'sort key').choices(['createdAt', 'lastClickAt', 'clickCount']),
    new Option('--order <direction>', 'sort direction').choices(['desc', 'asc']),
  ],
  examples: ['links list --tag newsletter --sort clickCount', 'links list --all --json'],
  run: async (context, options) => {
    const { api, terminal, json } = context;
    const { limit, all, ...filters } = options;
    const client = api();
    const { records: links, hasMore } = await readPages(
      (query) => client.page('/links', { query: { ...filters, ...query } }),
      { limit, all },
    );
    if (json) return terminal.printJson(links);
    if (links.length === 0) return showEmpty(context, options);
    terminal.print(linkTable(links, terminal.style, terminal.width));
    if (hasMore) noteMore(terminal, links.length);
  },
});

function showEmpty({ terminal: { print }, suggest }: Context, options: Options): void {
  const { q, tag, status, domain, createdBy, createdFrom, createdTo } = options;
  if (q || tag || status || domain || createdBy || createdFrom || createdTo) print('No links match.');
  else print(`No links yet. Create one with:\n\n  ${suggest('links create https://example.com')}`);
}
