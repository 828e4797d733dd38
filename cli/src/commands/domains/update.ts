import { Option } from 'commander';
import { command, repeatableChoice } from '../../command.js';
import { fail } from '../../errors.js';
import { printable } from '../../output/text.js';
import { domainArgument, findDomain } from './find.js';

/** API fields that `--clear` can clear, keyed by the name of the option that sets them. */
const clearable = {
  'brand-name': 'brandName',
  'brand-logo': 'brandLogoUrl',
  'brand-color': 'brandColor',
  'root-url': 'rootUrl',
  'not-found-url': 'notFoundUrl',
  'expired-url': 'expiredUrl',
} as const;

interface Options {
  brandName?: string;
  brandLogo?: string;
  brandColor?: string;
  rootUrl?: string;
  notFoundUrl?: string;
  expiredUrl?: string;
  clear?: (keyof typeof clearable)[];
}

export const updateDomain = command<Options>({
  name: 'update',
  summary: 'Change the branding and redirects of a domain',
  args: [domainArgument()],
  options: [
    new Option('--brand-name <name>', 'brand name on the pages that visitors see'),
    new Option('--brand-logo <url>', 'https URL of a logo'),
    new Option('--brand-color <color>', 'color of the pages, such as #0f766e'),
    new Option('--root-url <url>', 'redirect for the root of the domain'),
    new Option('--not-found-url <url>', 'redirect for unknown links'),
    new Option('--expired-url <url>', 'redirect for expired and archived links'),
    repeatableChoice('--clear <field>', 'clear a field; may be repeated', Object.keys(clearable)),
  ],
  examples: [
    'domains update go.example.com --root-url https://example.com',
    'domains update go.example.com --clear root-url',
  ],
  run: async ({ api, terminal, json }, { brandLogo, clear = [], ...fields }, wanted) => {
    const cleared = Object.fromEntries(clear.map((name) => [clearable[name], null]));
    const body = { ...fields, ...(brandLogo !== undefined && { brandLogoUrl: brandLogo }), ...cleared };
    if (Object.keys(body).length === 0)
      throw fail('usage', 'Nothing to change.', { hint: 'See: tautan domains update --help' });
    const client = api();
    const { id } = await findDomain(client, wanted);
    const domain = await client.patch('/domains/{id}', { path: { id }, body });
    if (json) terminal.printJson(domain);
    else terminal.print(`${terminal.style.green('✓')} Changed ${printable(domain.domain)}`);
  },
});
