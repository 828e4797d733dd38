import { BSONRegExp } from 'bson';
import { fail, refuse } from '../errors.js';

/** A regular expression of a filter. Throws 51109 on a NUL. */
export function makeRegex(pattern: string, options: string): BSONRegExp {
  if (pattern.includes('\0')) fail(51109, 'Regular expression cannot contain an embedded null byte');
  return new BSONRegExp(pattern, options);
}

/**
 * One token of the patterns that JavaScript reads as PCRE does: an escaped punctuation mark, a class of plain characters, the
 * start of a group, one of `) | ^ $ .`, a quantifier (lazy or not), a plain character.
 */
const TOKEN = /\\([^A-Za-z0-9])|\[\^?[^\][\\]+\]|\((?:\?:|(?!\?))|[)|^$.]|[*+?]\??(?![*+?])|[^\\[\](){}*+?]/uy;

const cache = new Map<string, RegExp>();

/** A JavaScript expression that matches as the server's PCRE does. Other syntax, and options but `i`, are refused. */
export function compileRegex({ pattern, options }: BSONRegExp): RegExp {
  const key = `${options}/${pattern}`;
  let compiled = cache.get(key);
  if (!compiled) {
    compiled = translate(pattern, options);
    if (cache.size >= 1000) cache.clear();
    cache.set(key, compiled);
  }
  return compiled;
}

function translate(pattern: string, options: string): RegExp {
  if (options !== '' && options !== 'i') refuse(`the regular expression option '${options}'`);
  let source = '';
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < pattern.length;) {
    const at = TOKEN.lastIndex;
    const [token, escaped] = TOKEN.exec(pattern) ?? refuse(`'${pattern.slice(at)}' in a regular expression`);
    source += escaped === undefined ? (PCRE[token] ?? token) : escapeLiteral(escaped);
  }
  try {
    return new RegExp(source, `${options}u`);
  } catch (error) {
    return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

/** Where JavaScript would match something else. */
const PCRE: Readonly<Record<string, string>> = { $: '(?=\\n?$)', '.': '[^\\n]' };

const escapeLiteral = (char: string): string => (/[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char);

/** The text that every match starts with, for a scan of an index; empty if none can be told. */
export function literalPrefix({ pattern, options }: BSONRegExp): string {
  if (options || !pattern.startsWith('^') || pattern.includes('|')) return '';
  let prefix = '';
  for (let i = 1; i < pattern.length; i += 1) {
    let char = pattern[i]!;
    if (char === '\\' && /[^A-Za-z0-9]/.test(pattern[i + 1] ?? 'a')) char = pattern[(i += 1)]!;
    else if (/[\^$\\.*+?()[\]{}]/.test(char)) break;
    if (/[*?{]/.test(pattern[i + 1] ?? '')) break;
    prefix += char;
  }
  return prefix;
}
