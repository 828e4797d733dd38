import { Option } from 'commander';
import type { Api } from '../../api/client.js';
import type { Link } from '../../api/records.js';
import { command, repeatable, wholeNumber } from '../../command.js';
import { linkTable } from '../../output/link.js';
import type { Terminal } from '../../output/terminal.js';
import { count } from '../../output/text.js';

/** Largest page of the API. */
const PAGE = 200;

interface Options {
  limit: number;
  all?: boolean;
  q?: string;
  tag?: string[];
  status?: string;
  sort?: string;
  order?: string;
}

export const listLinks = command<Options>({
  name: 'list',
  summary: 'List links, newest first',
  options: [
    wholeNumber('--limit <count>', 'how many at most', 1, 1_000_000).default(50),
    new Option('--all', 'every link there is'),
    new Option('--q <words>', 'words in slug, title, description or destination'),
    repeatable('--tag <name>', 'with this tag; repeated: with all of them'),
    new Option('--status <status>', 'of this status').choices(['active', 'expired', 'archived']),
    new Option('--sort <key>', 'sorted by').choices(['createdAt', 'lastClickAt', 'clickCount']),
    new Option('--order <direction>', 'in this direction').choices(['desc', 'asc']),
  ],
  examples: ['links list --tag newsletter --sort clickCount', 'links list --all --json'],
  run: async ({ api, terminal, json }, options) => {
    const { links, hasMore } = await walk(api(), options);
    if (json) return terminal.printJson(links);
    if (links.length === 0) return showEmpty(terminal, options);
    terminal.print(linkTable(links, terminal.style, terminal.width));
    if (hasMore) {
      const these = links.length === 1 ? 'This is the first' : `These are the first ${count(links.length)}`;
      terminal.note(terminal.noteStyle.dim(`\n${these}; --limit or --all shows more.`));
    }
  },
});

/** Reads pages until there are enough links. A page may be short, even empty, before the end. */
async function walk(api: Api, { limit, all, ...filters }: Options): Promise<{ links: Link[]; hasMore: boolean }> {
  const links: Link[] = [];
  const wanted = all ? Infinity : limit;
  let cursor: string | undefined;
  do {
    // A cursor keeps its page size free: the last page asks for no more than is wanted.
    const query = { ...filters, limit: Math.min(PAGE, wanted - links.length), cursor };
    const { data, page } = await api.call<Link[]>({ method: 'GET', path: '/links', query });
    links.push(...data);
    cursor = page?.hasMore ? page.nextCursor : undefined;
  } while (cursor !== undefined && links.length < wanted);
  return { links: all ? links : links.slice(0, limit), hasMore: cursor !== undefined };
}

function showEmpty({ print, style }: Terminal, { q, tag, status }: Options): void {
  if (q || tag || status) print('No links match.');
  else print(`No links yet. Make one with:\n\n  ${style.cyan('tautan links create https://example.com')}`);
}
