/**
 * Merges a visitor's query (the text behind `?` of the request target, one character per byte) into a destination, an
 * absolute normalised http(s) URL. The visitor wins: all its values of a key take the place of the destination's; the
 * destination's other parameters and its fragment stay byte for byte. The answer is a valid URL of printable ASCII
 * whatever the query holds.
 */
export function mergeQuery(destination: string, query: string): string {
  const theirs = groupByKey(query);
  if (theirs.size === 0) return destination;
  const { base, own, fragment } = split(destination);
  const merged = own.flatMap((pair) => {
    const key = keyOf(pair);
    const values = theirs.get(key);
    if (!values) return [pair];
    // Where the key first stood, all of the visitor's values; nothing where it stood again.
    theirs.set(key, []);
    return values;
  });
  for (const values of theirs.values()) merged.push(...values);
  return `${base}?${merged.join('&')}${fragment}`;
}

function groupByKey(query: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const raw of query.split('&')) {
    if (raw === '') continue;
    const pair = encode(raw);
    const key = keyOf(pair);
    const group = groups.get(key);
    if (group) group.push(pair);
    else groups.set(key, [pair]);
  }
  return groups;
}

function split(url: string): { base: string; own: string[]; fragment: string } {
  const hash = url.indexOf('#');
  const fragment = hash < 0 ? '' : url.slice(hash);
  const rest = hash < 0 ? url : url.slice(0, hash);
  const mark = rest.indexOf('?');
  if (mark < 0) return { base: rest, own: [], fragment };
  return {
    base: rest.slice(0, mark),
    own: rest
      .slice(mark + 1)
      .split('&')
      .filter(Boolean),
    fragment,
  };
}

/** The key of a pair, decoded as forms are: `+` and percent-encodings of the same text are the same key. */
function keyOf(pair: string): string {
  // The ampersand keeps a leading `?` from being taken for the query's own mark.
  for (const key of new URLSearchParams(`&${pair}`).keys()) return key;
  return '';
}

/** U+FFFD, for what is no character: half of a surrogate pair. */
const REPLACEMENT = '%EF%BF%BD';
const strayPercent = /%(?![0-9A-Fa-f]{2})/g;
const unsafe = /[^A-Za-z0-9\-._~!$()*+,;:@/?=%[\]]/gu;

/** Percent-encodes what may not stand in a query (RFC 3986 3.4; the URL standard's special-query set). */
const encode = (pair: string): string => pair.replace(strayPercent, '%25').replace(unsafe, encodeCharacter);

function encodeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return REPLACEMENT;
  if (code > 0xff) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
}
