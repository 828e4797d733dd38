/**
 * Merges a visitor's query string (without `?`) into a destination, an absolute normalized http(s) URL. A character of
 * the query up to U+00FF stands for a byte; others are encoded as UTF-8. The visitor's values of a key replace the
 * destination's. The destination's other parameters and fragment are preserved byte for byte. Always returns a valid
 * URL of printable ASCII.
 */
export function mergeQuery(destination: string, query: string): string {
  const theirs = groupByKey(query);
  if (theirs.size === 0) return destination;
  const { base, own, fragment } = split(destination);
  const merged = own.flatMap((pair) => {
    const key = keyOf(pair);
    const values = theirs.get(key);
    if (!values) return [pair];
    // All of the visitor's values replace the first occurrence of the key. Later occurrences are removed.
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

/** Returns the form-decoded key of a pair, so that `+` and percent-encodings of the same text are the same key. */
function keyOf(pair: string): string {
  // The ampersand prevents a leading `?` from being stripped as the query delimiter.
  for (const key of new URLSearchParams(`&${pair}`).keys()) return key;
  return '';
}

/** U+FFFD, which replaces a lone surrogate. */
const REPLACEMENT = '%EF%BF%BD';
const strayPercent = /%(?![0-9A-Fa-f]{2})/g;
const unsafe = /[^A-Za-z0-9\-._~!$()*+,;:@/?=%[\]]/gu;

/** Percent-encodes characters that are not allowed in a query (RFC 3986, section 3.4; URL standard, special-query). */
const encode = (pair: string): string => pair.replace(strayPercent, '%25').replace(unsafe, encodeCharacter);

function encodeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return REPLACEMENT;
  if (code > 0xff) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
}
