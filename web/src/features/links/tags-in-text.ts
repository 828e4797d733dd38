const MAX_SUGGESTIONS = 6;

/** Matches one tag and the comma after it, if any. A tag with commas is in quotation marks, as in CSV (RFC 4180). */
const tag = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g;

/** Returns the tags in a comma-separated text. */
export const tagsIn = (text: string): string[] =>
  [...text.matchAll(tag)]
    .map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim())
    .filter(Boolean);

/** Returns tags as the text that `tagsIn` reads. */
export const joinTags = (tags: readonly string[]): string =>
  tags.map((name) => (/[,"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ');

/**
 * Returns the tag that is being typed at the end of a text. Returns an empty string if the text ends with a comma, or
 * if the last tag of the text is a known tag.
 */
function unfinishedTag(text: string, known: readonly string[]): string {
  const last = /,\s*$/.test(text) ? '' : (tagsIn(text).at(-1) ?? '');
  return known.includes(last) ? '' : last;
}

/** Returns at most six suggestions: known tags that begin with the unfinished tag and are not in the text yet. */
export function suggestedTags(text: string, known: readonly string[]): string[] {
  const chosen = tagsIn(text);
  const prefix = unfinishedTag(text, known).toLowerCase();
  return known
    .filter((name) => !chosen.includes(name) && name.toLowerCase().startsWith(prefix))
    .slice(0, MAX_SUGGESTIONS);
}

/** Returns the text with a suggested tag and a comma added. If a tag is being typed, the suggested one replaces it. */
export function withSuggestedTag(text: string, name: string, known: readonly string[]): string {
  const chosen = tagsIn(text);
  const kept = unfinishedTag(text, known) === '' ? chosen : chosen.slice(0, -1);
  return `${joinTags([...kept, name])}, `;
}
