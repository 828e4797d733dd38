import { command } from '../../command.js';
import { linkDetails } from '../../output/link.js';
import { findLink } from '../find.js';
import { domainOption, linkArgument } from './fields.js';

export const getLink = command<{ domain?: string }>({
  name: 'get',
  summary: 'Show a link',
  args: [linkArgument()],
  options: [domainOption()],
  examples: ['links get spring', 'links get spring --json'],
  run: async ({ api, terminal, json }, { domain }, idOrSlug) => {
    const link = await findLink(api(), idOrSlug, domain);
    if (json) terminal.printJson(link);
    else terminal.print(linkDetails(link, terminal.style));
  },
});
