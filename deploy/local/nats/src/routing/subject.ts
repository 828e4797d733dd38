/** Subjects are tokens separated by dots. `*` matches one token, a final `>` matches one or more. */

const blank = /[\t\n\f\r ]/;

/**
 * Returns whether a subject is valid for subscriptions and filters: no empty tokens, no whitespace, `>` only at the
 * end.
 */
export function isValidSubject(subject: string): boolean {
  if (subject === '' || blank.test(subject)) return false;
  const tokens = subject.split('.');
  return tokens.every((token, n) => token !== '' && (token !== '>' || n === tokens.length - 1));
}

/** Returns whether a subject contains a wildcard. */
export const hasWildcard = (subject: string): boolean =>
  subject.split('.').some((token) => token === '*' || token === '>');

/** Returns whether a subject is valid for publishing. */
export const isLiteralSubject = (subject: string): boolean => isValidSubject(subject) && !hasWildcard(subject);

/** Returns whether `pattern` matches every subject that `subset` matches. Both may contain wildcards. */
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

/** Returns whether a subject exists that both patterns match. */
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

/** A set of subject patterns, prepared for matching. An empty set matches everything. */
export class SubjectFilter {
  /** The subjects, if there are any and none contains a wildcard. */
  readonly literals: readonly string[] | undefined;

  constructor(readonly subjects: readonly string[]) {
    this.literals = subjects.length > 0 && !subjects.some(hasWildcard) ? subjects : undefined;
  }

  matches(subject: string): boolean {
    return this.subjects.length === 0 || this.subjects.some((pattern) => isSubset(subject, pattern));
  }
}
