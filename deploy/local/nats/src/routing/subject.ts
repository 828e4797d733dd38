/** Subjects are tokens joined by dots; `*` stands for one token, a last `>` for one or more. */

const blank = /[\t\n\f\r ]/;

/** True for a subject one may subscribe to or filter by: no empty token, no blank, `>` only as the last token. */
export function isValidSubject(subject: string): boolean {
  if (subject === '' || blank.test(subject)) return false;
  const tokens = subject.split('.');
  return tokens.every((token, n) => token !== '' && (token !== '>' || n === tokens.length - 1));
}

/** True when some token is a wildcard. */
export const hasWildcard = (subject: string): boolean =>
  subject.split('.').some((token) => token === '*' || token === '>');

/** True for a subject one may publish to. */
export const isLiteralSubject = (subject: string): boolean => isValidSubject(subject) && !hasWildcard(subject);

/** True when every subject that `subset` matches is matched by `pattern` too. Both may hold wildcards. */
export function isSubset(subset: string, pattern: string): boolean {
  const inner = subset.split('.');
  const outer = pattern.split('.');
  for (let n = 0; n < outer.length; n++) {
    const token = inner[n];
    if (token === undefined) return false;
    if (outer[n] === '>') return true;
    if (token === '>') return false;
    if (outer[n] === '*') continue;
    if (token !== outer[n]) return false;
  }
  return inner.length === outer.length;
}

/** True when some subject is matched by both. */
export function collide(one: string, other: string): boolean {
  const a = one.split('.');
  const b = other.split('.');
  for (let n = 0; ; n++) {
    const [x, y] = [a[n], b[n]];
    if (x === undefined || y === undefined) return x === y;
    if (x === '>' || y === '>') return true;
    if (x !== '*' && y !== '*' && x !== y) return false;
  }
}

/** A set of subjects, with and without wildcards, prepared for matching; empty matches everything. */
export class SubjectFilter {
  /** The subjects when none holds a wildcard. */
  readonly literals: readonly string[] | undefined;

  constructor(readonly subjects: readonly string[]) {
    this.literals = subjects.length > 0 && !subjects.some(hasWildcard) ? subjects : undefined;
  }

  matches(subject: string): boolean {
    return this.subjects.length === 0 || this.subjects.some((pattern) => isSubset(subject, pattern));
  }
}
