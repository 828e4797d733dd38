import { BSONRegExp } from 'bson';
import { fail, unsupported } from '../errors.js';
import { type Document, isDocument } from '../values.js';

/** Returns whether a condition on a field consists of operators. If not, it is a value to match, such as a DBRef. */
export function isOperators(specification: unknown): specification is Document {
  if (!isDocument(specification)) return false;
  for (const first in specification)
    return first.startsWith('$') && !('$ref' in specification && '$id' in specification);
  return false;
}

/** Returns the regular expression of `$regex` and `$options`. */
export function regexOf(operand: unknown, { $options: options = '' }: Document): BSONRegExp {
  if (typeof options !== 'string') return fail('BadValue', '$options has to be a string');
  if (operand instanceof BSONRegExp) return options ? unsupported('a regular expression with $options') : operand;
  if (typeof operand !== 'string') return fail('BadValue', '$regex has to be a string');
  if (operand.includes('\0')) fail(51109, 'Regular expression cannot contain an embedded null byte');
  return new BSONRegExp(operand, options);
}

/** Matches one supported token. Tokens mean the same in JavaScript and PCRE, except for those in REPLACEMENTS. */
const TOKEN = /\\([^A-Za-z0-9])|\[\^?[^\][\\]+\]|\((?:\?:|(?!\?))|[)|^$.]|[*+?]\??(?![*+?])|[^\\[\](){}*+?]/uy;

/**
 * Compiles a regular expression so that it matches as in the server's PCRE. Throws for unsupported syntax, and for
 * options other than `i`.
 */
export function compileRegex({ pattern, options }: BSONRegExp): RegExp {
  if (options !== '' && options !== 'i') unsupported(`the regular expression option '${options}'`);
  let source = '';
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < pattern.length;) {
    const at = TOKEN.lastIndex;
    const [token, escaped] = TOKEN.exec(pattern) ?? unsupported(`'${pattern.slice(at)}' in a regular expression`);
    source += escaped === undefined ? (REPLACEMENTS[token] ?? token) : escapeLiteral(escaped);
  }
  try {
    return new RegExp(source, `${options}u`);
  } catch (error) {
    return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

/** JavaScript equivalents of the PCRE tokens that mean something else in JavaScript. */
const REPLACEMENTS: Readonly<Record<string, string>> = { $: '(?=\\n?$)', '.': '[^\\n]' };

const escapeLiteral = (char: string): string => (/[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char);

/** Returns the literal prefix of every match, which bounds an index scan; empty if unknown. */
export function literalPrefix({ pattern, options }: BSONRegExp): string {
  if (options || !pattern.startsWith('^') || pattern.includes('|')) return '';
  const chars = Array.from(pattern);
  let prefix = '';
  for (let i = 1; i < chars.length; i += 1) {
    let char = chars[i]!;
    if (char === '\\' && /[^A-Za-z0-9]/.test(chars[i + 1] ?? 'a')) char = chars[(i += 1)]!;
    else if (/[\^$\\.*+?()[\]{}]/.test(char)) break;
    if (/[*?{]/.test(chars[i + 1] ?? '')) break;
    prefix += char;
  }
  return prefix;
}
