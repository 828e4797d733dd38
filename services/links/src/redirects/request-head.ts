import { isPrefetch } from './domain/user-agent.js';

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
  /** Whether a body follows. */
  body: boolean;
}

const MAX_NAME = 64;
const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const lengths = ['content-length', 'transfer-encoding'];
const fixed = ['host', 'user-agent', 'referer', 'x-forwarded-for', ...lengths, ...purposes];

/**
 * Makes a reader of raw header fields (name, value, name, value …). One walk over the few fields that matter costs less
 * than building Node's map of all of them. `countryHeaders` are names in lower case.
 */
export function headReader(countryHeaders: readonly string[]): (raw: readonly string[]) => RequestHead {
  // Most fields are passed over by the length of their name alone.
  const matters = new Uint8Array(MAX_NAME);
  for (const name of [...fixed, ...countryHeaders]) matters[name.length] = 1;
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
      if (matters[given.length] !== 1) continue;
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
