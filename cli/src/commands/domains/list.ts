import type { Domain } from '../../api/records.js';
import { command } from '../../command.js';
import { statusPaint } from '../../output/domain.js';
import { table } from '../../output/table.js';
import { count } from '../../output/text.js';
import { formatRelativeTime } from '../../output/times.js';

export const listDomains = command({
  name: 'list',
  summary: 'List domains, newest first',
  run: async ({ api, terminal: { print, printJson, style, width }, json, suggest }) => {
    const domains = await api().get('/domains');
    if (json) return printJson(domains);
    if (domains.length === 0) {
      return print(`No domains yet. Add one with:\n\n  ${suggest('domains add go.example.com')}`);
    }
    print(
      table<Domain>(
        domains,
        [
          { title: 'DOMAIN', value: ({ domain }) => domain, paint: style.cyan, minWidth: 16 },
          {
            title: 'STATUS',
            value: ({ status }) => status,
            paint: (cell, { status }) => statusPaint(style, status)(cell),
          },
          { title: 'LINKS', value: ({ linkCount }) => count(linkCount), align: 'right' },
          { title: 'PROBLEM', value: ({ lastError }) => lastError ?? '', minWidth: 16, omitPriority: 2 },
          {
            title: 'ADDED',
            value: ({ createdAt }) => formatRelativeTime(createdAt),
            paint: style.dim,
            omitPriority: 1,
          },
          { title: 'ID', value: ({ id }) => id, paint: style.dim, omitPriority: 3 },
        ],
        style,
        width,
      ),
    );
  },
});
