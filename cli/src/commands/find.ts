import type { Api } from '../api/client.js';
import type { Link } from '../api/records.js';
import { fail } from '../errors.js';

/** Returns the link with this id, or with this slug on `domain` (default: the default domain). */
export async function findLink(api: Api, idOrSlug: string, domain?: string): Promise<Link> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(idOrSlug)) throw fail('notFound', `${idOrSlug} is neither an id nor a slug.`);
  return api.get('/links/{id}', { path: { id: idOrSlug }, query: { domain } });
}

interface Search<T> {
  /** An id or a name. */
  wanted: string;
  name: (one: T) => string;
  /** What a record is called in messages. */
  noun: string;
  normalize?: (name: string) => string;
}

const lowerCase = (name: string): string => name.trim().toLowerCase();

/**
 * Returns the record whose id is `wanted` or, if there is none, whose name matches `wanted`. Names match if `normalize`
 * returns the same text for both; by default, case and surrounding whitespace are ignored. Throws `notFound` if no
 * record matches, and `usage` if the names of several records match.
 */
export function findNamed<T extends { id: string }>(
  list: T[],
  { wanted, name, noun, normalize = lowerCase }: Search<T>,
): T {
  const found = list.filter((one) => one.id === wanted);
  if (found.length === 0) found.push(...list.filter((one) => normalize(name(one)) === normalize(wanted)));
  if (found.length > 1)
    throw fail('usage', `${wanted} is the name of ${found.length} ${noun}s.`, { hint: 'Use an id instead.' });
  if (!found[0]) throw fail('notFound', `No ${noun} found: ${wanted}.`);
  return found[0];
}
