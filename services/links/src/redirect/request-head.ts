import { isPrefetch } from '../domain/verdict.js';

/** The header fields that a redirect looks at. */
export interface RequestHead {
  /** Empty when absent, undefined when there is more than one. */
  host: string | undefined;
  userAgent: string;
  referrer: string;
  /** All X-Forwarded-For fields, joined by commas. */
  forwardedFor: string;
  /** The first country header that is configured and present. */
  country: string;
  prefetch: boolean;
}

/**
 * Makes a reader of raw header fields (name, value, name, value …). One walk over the few fields that matter costs less
 * than building Node's map of all of them. `countryHeaders` are names in lower case.
 */
export function headReader(countryHeaders: readonly string[]): (raw: readonly string[]) => RequestHead {
  const countryLengths = new Set(countryHeaders.map((name) => name.length));
  return (raw) => {
    const head: RequestHead = { host: '', userAgent: '', referrer: '', forwardedFor: '', country: '', prefetch: false };
    let hosts = 0;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const name = raw[i]!;
      const value = raw[i + 1]!;
      const { length } = name;
      if (countryLengths.has(length) && countryHeaders.includes(name.toLowerCase())) head.country ||= value;
      else if (length === 4 && is(name, 'host')) head.host = (hosts += 1) > 1 ? undefined : value;
      else if (length === 10 && is(name, 'user-agent')) head.userAgent ||= value;
      else if (length === 7 && is(name, 'referer')) head.referrer ||= value;
      else if (length === 15 && is(name, 'x-forwarded-for'))
        head.forwardedFor = head.forwardedFor ? `${head.forwardedFor},${value}` : value;
      else if (purposeLengths.has(length) && purposes.has(name.toLowerCase())) head.prefetch ||= isPrefetch(value);
    }
    return head;
  };
}

const is = (name: string, wanted: string): boolean => name === wanted || name.toLowerCase() === wanted;
const purposes = new Set(['purpose', 'sec-purpose', 'x-purpose', 'x-moz']);
const purposeLengths = new Set([...purposes].map((name) => name.length));
