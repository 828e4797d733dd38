import { Argument, InvalidArgumentError, Option } from 'commander';
import { repeatable, wholeNumber } from '../../command.js';
import { parseTime } from '../../output/times.js';

/** Options for the fields of a link. */
export interface LinkFields {
  slug?: string;
  title?: string;
  description?: string;
  tag?: string[];
  expires?: string;
  maxClicks?: number;
}

/** Returns the API fields for the given options. */
export const linkBody = ({ slug, title, description, tag, expires, maxClicks }: LinkFields): object => ({
  ...(slug !== undefined && { slug }),
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(tag && { tags: tag }),
  ...(expires !== undefined && { expiresAt: expires }),
  ...(maxClicks !== undefined && { maxClicks }),
});

export const linkOptions = (tags = 'tag of the link; may be repeated'): Option[] => [
  new Option('--slug <slug>', 'short path (default for a new link: generated)'),
  new Option('--title <text>', 'title of the link'),
  new Option('--description <text>', 'notes about the link'),
  repeatable('--tag <name>', tags),
  expiresOption(),
  wholeNumber('--max-clicks <count>', 'number of clicks after which the link stops redirecting'),
];

export const expiresOption = (): Option =>
  new Option('--expires <when>', 'expiry: 12h, 7d, a date, or an ISO 8601 time').argParser(parseExpiry);

export const linkArgument = (): Argument => new Argument('<link>', 'id or slug');

export const domainOption = (): Option =>
  new Option('--domain <name>', 'domain of the slug, if a link is given by its slug (default: the default domain)');

function parseExpiry(text: string): string {
  const at = parseTime(text);
  if (at) return at;
  throw new InvalidArgumentError('Use a duration such as 12h or 7d, a date such as 2030-01-31, or an ISO 8601 time.');
}
