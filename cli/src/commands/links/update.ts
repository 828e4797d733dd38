import { Option } from 'commander';
import type { Link } from '../../api/records.js';
import { command, repeatableChoice } from '../../command.js';
import { fail } from '../../errors.js';
import { linkDetails } from '../../output/link.js';
import { findLink } from '../find.js';
import { domainOption, linkArgument, linkBody, linkOptions, type LinkFields } from './fields.js';

/** API fields that `--clear` can clear, keyed by the name that `--clear` takes. */
const clearable = {
  title: 'title',
  description: 'description',
  tags: 'tags',
  expires: 'expiresAt',
  'max-clicks': 'maxClicks',
} as const;

interface Options extends LinkFields {
  to?: string;
  status?: Link['status'];
  clear?: (keyof typeof clearable)[];
  domain?: string;
}

export const updateLink = command<Options>({
  name: 'update',
  summary: 'Change a link',
  args: [linkArgument()],
  options: [
    new Option('--to <url>', 'new destination'),
    ...linkOptions('tag that replaces the current ones; may be repeated'),
    new Option('--status <status>', 'archived or expired stops the link, active resumes it').choices([
      'active',
      'archived',
      'expired',
    ]),
    repeatableChoice('--clear <field>', 'clear a field; may be repeated', Object.keys(clearable)),
    domainOption(),
  ],
  examples: [
    'links update spring --to https://example.com/summer',
    'links update spring --clear expires --status active',
  ],
  run: async ({ api, terminal, json }, { to, status, clear = [], domain, ...fields }, idOrSlug) => {
    const cleared = Object.fromEntries(clear.map((name) => [clearable[name], null]));
    const body = { ...(to !== undefined && { url: to }), ...linkBody(fields), ...(status && { status }), ...cleared };
    if (Object.keys(body).length === 0)
      throw fail('usage', 'Nothing to change.', { hint: 'See: tautan links update --help' });
    const client = api();
    const { id } = await findLink(client, idOrSlug, domain);
    const link = await client.patch('/links/{id}', { path: { id }, body });
    if (json) terminal.printJson(link);
    else terminal.print(linkDetails(link, terminal.style));
  },
});
