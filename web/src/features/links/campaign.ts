export const utmFields = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmField = (typeof utmFields)[number];

/** Returns the destination as a URL; undefined if it is not a valid http(s) URL. */
export function destinationOf(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : undefined;
}

/** Returns a campaign parameter of a destination; empty if it has none. */
export const readUtm = (url: string, field: UtmField): string =>
  destinationOf(url)?.searchParams.get(`utm_${field}`) ?? '';

/** Returns the destination with a campaign parameter set, or removed if `value` is empty. The rest stays as typed. */
export function writeUtm(url: string, field: UtmField, value: string): string {
  if (!destinationOf(url)) return url;
  const [, address = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const name = `utm_${field}`;
  const pairs = query.split('&').filter(Boolean);
  const at = pairs.findIndex((pair) => pair.split('=')[0] === name);
  const others = pairs.filter((pair) => pair.split('=')[0] !== name);
  if (value) others.splice(at === -1 ? others.length : at, 0, `${name}=${encodeURIComponent(value)}`);
  return address + (others.length > 0 ? `?${others.join('&')}` : '') + hash;
}
