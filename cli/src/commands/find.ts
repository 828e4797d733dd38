import type { Api } from '../api/client.js';
import type { Link } from '../api/records.js';
import { fail } from '../errors.js';

/** A link by its id or slug, on the default domain or the one that is named. */
export async function findLink(api: Api, idOrSlug: string, domain?: string): Promise<Link> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(idOrSlug)) throw fail('notFound', `${idOrSlug} is neither an id nor a slug.`);
  return api.get('/links/{id}', { path: { id: idOrSlug }, query: { domain } });
}

/** The one record of a list that carries an id or, whatever its case, a name. Fails with `notFound`. */
export function findNamed<T extends { id: string }>(
  list: T[],
  { wanted, name, noun }: { wanted: string; name: (one: T) => string; noun: string },
): T {
  const found = list.filter((one) => one.id === wanted);
  if (found.length === 0) found.push(...list.filter((one) => name(one).toLowerCase() === wanted.trim().toLowerCase()));
  if (found.length > 1)
    throw fail('usage', `${found.length} ${noun}s are named ${wanted}.`, { hint: 'Name one by its id.' });
  if (!found[0]) throw fail('notFound', `There is no ${noun} ${wanted}.`);
  return found[0];
}
