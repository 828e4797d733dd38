import { Option } from 'commander';
import { command } from '../../command.js';
import type { Context } from '../../context.js';
import { followList } from '../../follow.js';
import { auditTable } from '../../output/audit.js';
import { MAX_PAGE, noteMore, pageOptions, readPages, type PageOptions } from '../pages.js';

interface Filters {
  action?: string;
  actor?: string;
  target?: string;
  from?: string;
  to?: string;
}

interface Options extends PageOptions, Filters {
  follow?: boolean;
}

export const auditLog = command<Options>({
  name: 'audit-log',
  summary: 'Show who changed what in the workspace, newest first',
  options: [
    ...pageOptions('show all entries'),
    new Option('--action <action>', 'action, such as link.updated, or the part before its dot, such as link'),
    new Option('--actor <id>', 'id of a user or API key, or "system"'),
    new Option('--target <id>', 'id of the changed resource'),
    new Option('--from <time>', 'not before this time, such as 2030-01-01 (UTC)'),
    new Option('--to <time>', 'not after this time; a date includes its whole day'),
    new Option('-f, --follow', 'show new entries as they are written, until Ctrl-C'),
  ],
  examples: ['audit-log --action link. --from 2030-01-01', 'audit-log --follow --json'],
  run: async (context, { limit, all, follow, action, actor, target, from, to }) => {
    const filters = { action, actor, target, from, to };
    if (follow) return followLog(context, filters);
    const { api, terminal, json } = context;
    const client = api();
    const page = (query: { limit: number; cursor?: string | undefined }) =>
      client.page('/audit-log', { query: { ...filters, ...query } });
    const { records, hasMore } = await readPages(page, { limit, all });
    if (json) return terminal.printJson(records);
    if (records.length === 0) return terminal.print('No entries.');
    terminal.print(auditTable(records, terminal.style, terminal.width));
    if (hasMore) noteMore(terminal, records.length);
  },
});

/** All filters, undefined if not given. */
type FilterQuery = { [F in keyof Filters]: Filters[F] | undefined };

/** Prints new entries, oldest first, one per line. Runs until the process ends. */
function followLog(context: Context, filters: FilterQuery): Promise<never> {
  const { terminal, json } = context;
  const api = context.api();
  const page = (cursor?: string) => api.page('/audit-log', { query: { ...filters, limit: MAX_PAGE, cursor } });
  return followList(context, page, (entry) =>
    terminal.print(json ? JSON.stringify(entry) : auditTable([entry], terminal.style, terminal.width, false)),
  );
}
