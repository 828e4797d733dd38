/**
 * A parsed request target. `bad` is too long or not in origin form. `none` has a path that is neither `/`, a static
 * file nor a possible slug.
 */
export interface Target {
  kind: 'slug' | 'root' | 'robots' | 'favicon' | 'none' | 'bad';
  /** A slash and the slug in lower case; empty unless `kind` is slug. */
  path: string;
  /** The text after the first `?`, as sent, one character per byte. */
  query: string;
}

const MAX_TARGET = 8_192;
const MAX_SLUG = 64;
const encodedSlug = /^\/([A-Za-z0-9_%-]{1,192})\/?$/;
const slugForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Parses a request target in origin form (RFC 9112 3.2.1). Never throws. Other forms, including absolute ones, and
 * targets over 8 KiB are `bad`.
 */
export function readTarget(target: string): Target {
  if (target.charCodeAt(0) !== SLASH || target.length > MAX_TARGET) return { kind: 'bad', path: '', query: '' };
  let end = 1;
  let upper = false;
  for (; end < target.length; end += 1) {
    const code = target.charCodeAt(end);
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95) continue;
    if (code < 65 || code > 90) break;
    upper = true;
  }
  const pathEnd = end > 1 && target.charCodeAt(end) === SLASH ? end + 1 : end;
  const length = target.length;
  const query = pathEnd < length && target.charCodeAt(pathEnd) === QUESTION ? target.slice(pathEnd + 1) : '';
  if (pathEnd !== length && target.charCodeAt(pathEnd) !== QUESTION) return readOther(target);
  if (end === 1) return { kind: 'root', path: '', query };
  if (end - 1 > MAX_SLUG) return { kind: 'none', path: '', query };
  const path = target.slice(0, end);
  return { kind: 'slug', path: upper ? path.toLowerCase() : path, query };
}

const SLASH = 47;
const QUESTION = 63;

/** Parses the rarer paths: static files, and slugs with unnecessary percent-encoding. */
function readOther(target: string): Target {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  if (path === '/robots.txt') return { kind: 'robots', path: '', query };
  if (path === '/favicon.ico') return { kind: 'favicon', path: '', query };
  const slug = decode(encodedSlug.exec(path)?.[1] ?? '');
  if (!slugForm.test(slug)) return { kind: 'none', path: '', query };
  return { kind: 'slug', path: `/${slug.toLowerCase()}`, query };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
