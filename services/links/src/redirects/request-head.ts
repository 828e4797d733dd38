import { isPrefetch } from './domain/user-agent.js';

/** The headers that redirects use. */
export interface RequestHead {
  /** Empty if absent, undefined if there are several. */
  host: string | undefined;
  userAgent: string;
  referrer: string;
  /** All X-Forwarded-For headers, joined by commas. */
  forwardedFor: string;
  /** The first configured country header that is present. */
  country: string;
  prefetch: boolean;
  /** Whether a body follows. */
  body: boolean;
}

const MAX_NAME = 64;
const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const lengths = ['content-length', 'transfer-encoding'];
const fixed = ['host', 'user-agent', 'referer', 'x-forwarded-for', ...lengths, ...purposes];

/**
 * Creates a parser of raw headers (name, value, name, value …). One pass over the few relevant headers costs less than
 * building Node's object of all of them. `countryHeaders`: names in lower case.
 */
export function headReader(countryHeaders: readonly string[]): (raw: readonly string[]) => RequestHead {
  // Most headers are skipped by the length of their name.
  const relevantLengths = new Uint8Array(MAX_NAME);
  for (const name of [...fixed, ...countryHeaders]) relevantLengths[name.length] = 1;
  return (raw) => {
    const head: RequestHead = {
      host: '',
      userAgent: '',
      referrer: '',
      forwardedFor: '',
      country: '',
      prefetch: false,
      body: false,
    };
    let hosts = 0;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const given = raw[i]!;
      if (relevantLengths[given.length] !== 1) continue;
      const name = given.toLowerCase();
      const value = raw[i + 1]!;
      if (name === 'host') head.host = (hosts += 1) > 1 ? undefined : value;
      else if (name === 'user-agent') head.userAgent ||= value;
      else if (name === 'referer') head.referrer ||= value;
      else if (name === 'x-forwarded-for') head.forwardedFor += head.forwardedFor === '' ? value : `,${value}`;
      else if (purposes.includes(name)) head.prefetch ||= isPrefetch(value);
      else if (lengths.includes(name)) head.body = true;
      else if (countryHeaders.includes(name)) head.country ||= value;
    }
    return head;
  };
}
