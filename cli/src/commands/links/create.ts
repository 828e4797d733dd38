import { Argument, Option } from 'commander';
import { command } from '../../command.js';
import { printable } from '../../output/text.js';
import { formatDateTime } from '../../output/times.js';
import { linkBody, linkOptions, type LinkFields } from './fields.js';

interface Options extends LinkFields {
  domain?: string;
}

export const createLink = command<Options>({
  name: 'create',
  summary: 'Create a short link',
  args: [new Argument('<url>', 'destination')],
  options: [...linkOptions(), new Option('--domain <name>', 'verified custom domain of the workspace')],
  examples: [
    'links create https://example.com/spring --slug spring --tag newsletter',
    'links create https://example.com/sale --expires 7d --max-clicks 500',
  ],
  run: async ({ api, terminal, json }, { domain, ...fields }, url) => {
    const body = { url, ...(domain !== undefined && { domain }), ...linkBody(fields) };
    const link = await api().post('/links', { body });
    if (json) return terminal.printJson(link);
    // Print the short URL alone to standard output, so that it can be piped.
    terminal.print(link.shortUrl);
    const { noteStyle: style, note } = terminal;
    note(style.dim(`→ ${printable(link.url)}`));
    if (link.expiresAt) note(style.dim(`  expires ${formatDateTime(link.expiresAt)}`));
  },
});
