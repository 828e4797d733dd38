import { Option } from 'commander';
import { command, repeatableChoice } from '../../command.js';
import { fail } from '../../errors.js';
import { printable } from '../../output/text.js';
import { domainArgument, findDomain } from './find.js';

/** Fields that can be cleared, by the option that sets them. */
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
  summary: 'Change the brand of a domain’s pages, and where they lead',
  args: [domainArgument()],
  options: [
    new Option('--brand-name <name>', 'name on the pages that visitors see'),
    new Option('--brand-logo <url>', 'https address of a logo'),
    new Option('--brand-color <color>', 'color of the pages, such as #0f766e'),
    new Option('--root-url <url>', 'where the root of the domain leads'),
    new Option('--not-found-url <url>', 'where unknown links lead'),
    new Option('--expired-url <url>', 'where expired and archived links lead'),
    repeatableChoice('--clear <field>', 'clear a field; may be repeated', Object.keys(clearable)),
  ],
  examples: [
    'domains update go.example.com --root-url https://example.com',
    'domains update go.example.com --clear root-url',
  ],
  run: async ({ api, terminal, json }, { brandLogo, clear = [], ...fields }, wanted) => {
    const cleared = Object.fromEntries(clear.map((name) => [clearable[name], null]));
    const body = { ...fields, ...(brandLogo && { brandLogoUrl: brandLogo }), ...cleared };
    if (Object.keys(body).length === 0)
      throw fail('usage', 'There is nothing to change.', { hint: 'See: tautan domains update --help' });
    const client = api();
    const { id } = await findDomain(client, wanted);
    const domain = await client.patch('/domains/{id}', { path: { id }, body });
    if (json) terminal.printJson(domain);
    else terminal.print(`${terminal.style.green('✓')} Changed ${printable(domain.domain)}`);
  },
});
