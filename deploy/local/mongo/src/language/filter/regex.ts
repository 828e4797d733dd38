import { BSONRegExp } from 'bson';
import { fail, refuse } from '../errors.js';

const cache = new Map<string, RegExp>();

/** A regular expression as a value. Throws 51108 on options that the server does not know, 51109 on a NUL. */
export function makeRegex(pattern: string, options: string): BSONRegExp {
  for (const option of options) if (!'imsxu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
  if (pattern.includes('\0')) fail(51109, 'Regular expression cannot contain an embedded null byte');
  return new BSONRegExp(pattern, options);
}

/** A JavaScript expression that matches as the server's PCRE does with the options `imsxu`; refuses what it cannot say. */
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
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const all = options + (inline?.[1] ?? '');
  const body = inline ? pattern.slice(inline[0].length) : pattern;
  const source = new Translator(body, all.includes('m'), all.includes('s'), all.includes('x')).run();
  const flags = all.includes('i') ? 'i' : '';
  try {
    return new RegExp(source, flags + 'u');
  } catch {
    // PCRE knows escapes of ordinary characters, which JavaScript allows only without Unicode mode.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

const POSIX: Record<string, string> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \\t\\n\\v\\f\\r',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
  cntrl: '\\x00-\\x1f\\x7f',
  print: ' -~',
  graph: '!-~',
};
const SPACES = ' \\t\\n\\v\\f\\r';
/** Escapes that PCRE has and JavaScript has not, outside a character class. */
const ESCAPES: Record<string, string> = {
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
  h: '[ \\t]',
  H: '[^ \\t]',
  R: '(?:\\r\\n|[\\n\\v\\f\\r])',
  a: '\\x07',
  e: '\\x1b',
  s: `[${SPACES}]`,
  S: `[^${SPACES}]`,
};

class Translator {
  private at = 0;
  private out = '';

  constructor(
    private readonly pattern: string,
    private readonly multiline: boolean,
    private readonly dotAll: boolean,
    private readonly extended: boolean,
  ) {}

  run(): string {
    while (this.at < this.pattern.length) this.out += this.next();
    return this.out;
  }

  private next(): string {
    const char = this.pattern[this.at]!;
    this.at += 1;
    switch (char) {
      case '\\':
        return this.escape();
      case '[':
        return this.characterClass();
      case '.':
        return this.dotAll ? '[\\s\\S]' : '[^\\n]';
      case '^':
        return this.multiline ? '(?:^|(?<=\\n))' : '^';
      case '$':
        return this.multiline ? '(?=\\n|$)' : '(?=\\n?$)';
      case '(':
        return this.group();
      case '*':
      case '+':
      case '?':
      case '}':
        return this.quantifier(char);
      case '#':
        return this.extended ? this.comment() : '#';
      default:
        return this.extended && /\s/.test(char) ? '' : char;
    }
  }

  private comment(): string {
    const end = this.pattern.indexOf('\n', this.at);
    this.at = end < 0 ? this.pattern.length : end;
    return '';
  }

  private quantifier(char: string): string {
    if (this.pattern[this.at] === '+') refuse('a possessive quantifier in a regular expression');
    return char;
  }

  private escape(): string {
    const char = this.pattern[this.at] ?? fail(51091, 'Regular expression is invalid: \\ at end of pattern');
    this.at += 1;
    if (char === 'Q') return this.quoted();
    if (char === 'E') return '';
    if (char === 'x') return this.hexadecimal();
    if ('GKXCNpP'.includes(char)) refuse(`\\${char} in a regular expression`);
    if (char in ESCAPES) return ESCAPES[char]!;
    return /[A-Za-z0-9]/.test(char) ? `\\${char}` : escapeLiteral(char);
  }

  private quoted(): string {
    const end = this.pattern.indexOf('\\E', this.at);
    const text = this.pattern.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.pattern.length : end + 2;
    return [...text].map(escapeLiteral).join('');
  }

  private hexadecimal(): string {
    const digits = /^(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{1,2}))/.exec(this.pattern.slice(this.at));
    this.at += digits?.[0].length ?? 0;
    const code = (digits?.[1] ?? digits?.[2] ?? '0').toLowerCase();
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  }

  private group(): string {
    const rest = this.pattern.slice(this.at);
    if (!rest.startsWith('?')) return '(';
    if (rest.startsWith('?#')) {
      this.at += rest.indexOf(')') + 1;
      return '';
    }
    const known = /^\?(?::|=|!|<=|<!|P?<([A-Za-z_]\w*)>)/.exec(rest);
    if (!known) return refuse('this kind of group in a regular expression');
    this.at += known[0].length;
    return known[1] ? `(?<${known[1]}>` : `(${known[0]}`;
  }

  private characterClass(): string {
    let out = '[';
    if (this.pattern[this.at] === '^') {
      out += '^';
      this.at += 1;
    }
    for (let first = true; ; first = false) {
      const char =
        this.pattern[this.at] ??
        fail(51091, 'Regular expression is invalid: missing terminating ] for character class');
      this.at += 1;
      if (char === ']' && !first) return out + ']';
      out += this.classMember(char);
    }
  }

  private classMember(char: string): string {
    if (char === '[') {
      const named = /^:(\^?)([a-z]+):\]/.exec(this.pattern.slice(this.at));
      if (!named) return '\\[';
      if (named[1] || !POSIX[named[2]!]) refuse(`[:${named[1]}${named[2]}:] in a regular expression`);
      this.at += named[0].length;
      return POSIX[named[2]!]!;
    }
    if (char !== '\\') return char === ']' ? '\\]' : char;
    const escaped = this.pattern[this.at] ?? '';
    this.at += 1;
    if (escaped === 'x') return this.hexadecimal();
    if (escaped === 's') return SPACES;
    if (escaped === 'h') return ' \\t';
    if ('SHNpPRX'.includes(escaped)) return escaped === 'S' ? '\\S' : refuse(`\\${escaped} in a character class`);
    return /[A-Za-z0-9-]/.test(escaped) ? `\\${escaped}` : escapeLiteral(escaped);
  }
}

function escapeLiteral(char: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

/** The text that every match starts with, for a scan of an index; empty if none can be told. */
export function literalPrefix({ pattern, options }: BSONRegExp): string {
  if (/[imx]/.test(options) || !pattern.startsWith('^') || pattern.includes('|')) return '';
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
