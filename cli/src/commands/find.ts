import type { Api } from '../api/client.js';
import type { Link } from '../api/records.js';
import { fail } from '../errors.js';

/** A link by its id or slug, on the default domain or the one that is named. */
export async function findLink(api: Api, idOrSlug: string, domain?: string): Promise<Link> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(idOrSlug)) throw fail('notFound', `${idOrSlug} is neither an id nor a slug.`);
  return (await api.call<Link>({ method: 'GET', path: `/links/${idOrSlug}`, query: { domain } })).data;
}

/** The one record of a short list that carries an id or, whatever its case, a name. Fails with `notFound`. */
export async function findNamed<T extends { id: string }>(
  api: Api,
  path: string,
  {
    wanted,
    name,
    noun,
    anyWorkspace,
  }: { wanted: string; name: (one: T) => string; noun: string; anyWorkspace?: boolean },
): Promise<T> {
  const { data } = await api.call<T[]>({ method: 'GET', path, ...(anyWorkspace && { anyWorkspace }) });
  const found = data.filter((one) => one.id === wanted);
  if (found.length === 0) found.push(...data.filter((one) => name(one).toLowerCase() === wanted.trim().toLowerCase()));
  if (found.length > 1)
    throw fail('usage', `${found.length} ${noun}s are named ${wanted}.`, { hint: 'Name one by its id.' });
  if (!found[0]) throw fail('notFound', `There is no ${noun} ${wanted}.`);
  return found[0];
}
