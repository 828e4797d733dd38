import type { ApiKey } from '../../api/records.js';
import { command } from '../../command.js';
import { table } from '../../output/table.js';
import { formatRelativeTime } from '../../output/times.js';

export const listKeys = command({
  name: 'list',
  summary: 'List the API keys of the workspace, newest first',
  run: async ({ api, terminal: { print, printJson, style, width }, json, suggest }) => {
    const keys = await api().get('/auth/api-keys');
    if (json) return printJson(keys);
    if (keys.length === 0) {
      return print(`No API keys yet. Create one with:\n\n  ${suggest('keys create "nightly import"')}`);
    }
    print(
      table<ApiKey>(
        keys,
        [
          { title: 'LABEL', value: ({ label }) => label, paint: style.cyan, minWidth: 12 },
          { title: 'KEY', value: ({ prefix }) => `${prefix}…` },
          {
            title: 'LAST USED',
            value: ({ lastUsedAt }) => (lastUsedAt ? formatRelativeTime(lastUsedAt) : 'never'),
            omitPriority: 1,
          },
          {
            title: 'CREATED',
            value: ({ createdAt }) => (createdAt ? formatRelativeTime(createdAt) : ''),
            paint: style.dim,
            omitPriority: 2,
          },
          { title: 'ID', value: ({ id }) => id, paint: style.dim },
        ],
        style,
        width,
      ),
    );
  },
});
