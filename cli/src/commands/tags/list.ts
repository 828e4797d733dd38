import type { Tag } from '../../api/records.js';
import { command } from '../../command.js';
import { table } from '../../output/table.js';
import { count } from '../../output/text.js';
import { formatRelativeTime } from '../../output/times.js';

export const listTags = command({
  name: 'list',
  summary: 'List tags, sorted by name',
  run: async ({ api, terminal: { print, printJson, style, width }, json, suggest }) => {
    const tags = await api().get('/tags');
    if (json) return printJson(tags);
    if (tags.length === 0) {
      return print(`No tags yet. Create one with:\n\n  ${suggest('tags create newsletter')}`);
    }
    print(
      table<Tag>(
        tags,
        [
          { title: 'NAME', value: ({ name }) => name, paint: style.cyan, minWidth: 12 },
          { title: 'LINKS', value: ({ linkCount }) => count(linkCount), align: 'right' },
          { title: 'QR CODES', value: ({ qrCodeCount }) => count(qrCodeCount), align: 'right' },
          {
            title: 'CREATED',
            value: ({ createdAt }) => formatRelativeTime(createdAt),
            paint: style.dim,
            omitPriority: 1,
          },
          { title: 'ID', value: ({ id }) => id, paint: style.dim, omitPriority: 2 },
        ],
        style,
        width,
      ),
    );
  },
});
