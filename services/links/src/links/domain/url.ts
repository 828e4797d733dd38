import { checkCharacters, fail } from '@tautan/kit';
import { isPossibleName, isPrivateHost, withoutDot } from '../../domains/domain/host.js';

/** Rules for the hosts that links may point to. */
export interface DestinationRules {
  /** Hosts of this service, lower case: `host` matches every port, `host:port` only that one. */
  ownHosts: ReadonlySet<string>;
  allowPrivate: boolean;
}

const MAX_LENGTH = 2_048;

/**
 * Returns a destination, normalized per the WHATWG URL standard (international names in punycode). Throws
 * VALIDATION_ERROR naming the field unless `text` is an absolute http(s) URL of at most 2,048 characters (before and
 * after normalization), without credentials, on a host that is public (unless `allowPrivate`) and not this service's
 * own.
 */
export function checkUrl(text: string, { ownHosts, allowPrivate }: DestinationRules, field = 'url'): string {
  const refuse = (problem: string): Error => fail('VALIDATION_ERROR', `${field} ${problem}`, field);
  checkCharacters(field, text);
  const url = parse(text);
  // The standard's parser also accepts `http:host` and `https:/host`, which are not absolute URLs.
  if (!url || !/^https?:$/.test(url.protocol) || !/^\s*https?:\/\//i.test(text) || !isPossibleName(url.hostname)) {
    throw refuse('must be a valid http(s) URL.');
  }
  if (text.length > MAX_LENGTH || url.href.length > MAX_LENGTH) {
    throw refuse(`must have at most ${MAX_LENGTH} characters.`);
  }
  if (url.username || url.password) throw refuse('must not contain credentials.');
  if (isOwn(url, ownHosts)) throw refuse('must not point to this service.');
  if (!allowPrivate && isPrivateHost(url.hostname)) throw refuse('must point to a public host.');
  return url.href;
}

/** URL.canParse is not used: in Node.js 20, once V8 has optimized the call, it rejects URLs with Latin-1 letters. */
function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isOwn(url: URL, ownHosts: ReadonlySet<string>): boolean {
  const host = withoutDot(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return ownHosts.has(host) || ownHosts.has(`${host}:${port}`);
}

/** Returns the rules for the service's public URL and its other hosts. */
export function destinationRules(baseUrl: string, ownHosts: string[], allowPrivate: boolean): DestinationRules {
  const own = [new URL(baseUrl).host, ...ownHosts.map((host) => host.toLowerCase())];
  return { ownHosts: new Set(own), allowPrivate };
}
