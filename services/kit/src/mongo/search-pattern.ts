import { comparable } from '../values/search.js';

/**
 * Returns a pattern for the stored texts that contain a text normalized by `comparable`. It also matches some other
 * texts. Use it case-insensitively. It matches any part of a text in at most one way, so backtracking cannot take
 * exponential time.
 */
export const textPattern = patternsOf(textForms, (text) => text);

/** Like `textPattern`, for normalized URLs. */
export const urlPattern = patternsOf(urlForms, percentEncoded);

/**
 * Stored characters that `comparable` changes, and that are not among the usual forms of the result. Keyed by the code
 * points of the result.
 */
interface Exceptions {
  /** By the first code point of the result. */
  byFirst: Map<string, string[]>;
  /** By each of the other code points. */
  byLater: Map<string, string[]>;
}

/**
 * Returns a function that returns patterns. `usualForms`: returns the usual stored forms of a normalized code point.
 * `encode`: returns how a text is stored.
 */
function patternsOf(usualForms: (character: string) => string[], encode: (text: string) => string) {
  let exceptions: Exceptions | undefined;
  return (text: string): string => {
    // Not created at load because that takes about 40 ms, and most processes never search.
    const { byFirst, byLater } = (exceptions ??= exceptionsTo(usualForms, encode));
    const characters = Array.from(text);
    const formsOf = (character: string) => [...usualForms(character), ...(byFirst.get(character) ?? [])];
    // Normalization turns some stored characters into several, and `byLater` contains all but the first of these. Such a
    // stored character would have to match several characters of the text at once. The pattern therefore covers only the
    // longest part of the text without characters in `byLater`. If all characters of the text are in `byLater`,
    // the pattern covers only the first one. If the pattern made the characters in `byLater` optional, the time to
    // match several of them could be exponential.
    const part = longestPart(characters, (character) => !byLater.has(character));
    if (part.length > 0) return part.map((character) => alternatives(formsOf(character))).join('');
    const first = characters[0]!;
    return alternatives([...formsOf(first), ...byLater.get(first)!]);
  };
}

/** Returns the longest sequence of consecutive items that meet a condition. */
function longestPart<T>(items: T[], condition: (item: T) => boolean): T[] {
  let longest: T[] = [];
  let start = 0;
  for (let end = 0; end <= items.length; end += 1) {
    if (end < items.length && condition(items[end]!)) continue;
    if (end - start > longest.length) longest = items.slice(start, end);
    start = end + 1;
  }
  return longest;
}

function exceptionsTo(usualForms: (character: string) => string[], encode: (text: string) => string): Exceptions {
  const exceptions: Exceptions = { byFirst: new Map(), byLater: new Map() };
  for (const [character, normalized] of (changed ??= [...changedCharacters()])) {
    const usual = Array.from(normalized, (part) => alternatives(usualForms(part))).join('');
    if (new RegExp(`^${usual}$`, 'i').test(encode(character))) continue;
    for (const [i, part] of Array.from(normalized).entries()) {
      const byPart = i === 0 ? exceptions.byFirst : exceptions.byLater;
      byPart.set(part, [...(byPart.get(part) ?? []), encode(character)]);
    }
  }
  return exceptions;
}

let changed: [string, string][] | undefined;

/** First code point after all that `comparable` changes. */
const END = 0x30000;

/**
 * Yields the characters that `comparable` changes, with the results. Omits usual capitals, which all patterns match.
 */
function* changedCharacters(): Generator<[string, string]> {
  for (let code = 0; code < END; code += 1) {
    const character = String.fromCodePoint(code);
    // `Changes_When_NFKC_Casefolded` includes every change of `comparable`, and is faster.
    if (!/\p{CWKCF}/u.test(character)) continue;
    const normalized = comparable(character);
    const isCapital = character.length === 1 && normalized.toUpperCase() === character;
    if (normalized !== character && !isCapital) yield [character, normalized];
  }
  // `comparable` keeps the dot of this capital I if another mark follows.
  yield ['\u0130', 'i\u0307'];
}

function alternatives(forms: string[]): string {
  const distinct = [...new Set(forms)];
  const characters = distinct.filter((form) => Array.from(form).length === 1);
  const longer = distinct.filter((form) => !characters.includes(form)).map(escape);
  // Several of the characters can match the same text, because upper and lower case do not matter. If they were
  // alternatives, each would be tried. None is special in brackets: if there are several characters, the only ASCII
  // ones are letters, `;` and the grave accent.
  const oneOf = characters.length > 1 ? `[${characters.join('')}]` : characters.map(escape).join('');
  const parts = oneOf ? [oneOf, ...longer] : longer;
  return parts.length === 1 ? parts[0]! : `(?:${parts.join('|')})`;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Returns a composed character and all of its decompositions with combining marks. `comparable` ignores a combining dot
 * above i.
 */
function textForms(character: string): string[] {
  if (character === 'i') return [character, 'i\u0307'];
  if (character <= '\x7f') return [character];
  const parts = Array.from(character.normalize('NFD'));
  const partial = parts.map((_, i) => parts.slice(0, i).join('').normalize('NFC') + parts.slice(i).join(''));
  return [character, ...partial];
}

/** Returns the forms of a character in a normalized URL. */
function urlForms(character: string): string[] {
  if (/[a-z0-9]/.test(character)) return textForms(character).map(percentEncoded);
  if (character <= '\x7f') return [character, percentEncoded(character)];
  return [character, ...[character, character.toUpperCase()].flatMap(textForms).map(percentEncoded)];
}

/** Percent-encodes all characters except ASCII letters and digits. Returns letters in lower case. */
function percentEncoded(text: string): string {
  const encoded = text.replace(/[^A-Za-z0-9]/gu, (character) =>
    Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return encoded.toLowerCase();
}
