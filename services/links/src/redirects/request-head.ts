import { isPrefetch } from './domain/user-agent.js';

/** The headers that redirects use. */
export interface RequestHead {
  /** Empty if absent, undefined if there are several. */
  host: string | undefined;
  userAgent: string;
  referrer: string;
  /** All X-Forwarded-For headers, joined by commas. */
  forwardedFor: string;
  /** The first country header with a value in the request, whatever the order of the configured names. */
  country: string;
  traceparent: string;
  prefetch: boolean;
}

const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/** Names of the headers that `headReader` reads, in lower case, without the country headers. */
export const relevantHeaders: readonly string[] = [
  'host',
  'user-agent',
  'referer',
  'x-forwarded-for',
  'traceparent',
  ...purposes,
];

/**
 * Creates a function that reads headers (name in lower case, value, name, value …). One pass over them costs less than
 * building Node's object of all headers. `countryHeaders`: names in lower case.
 */
export function headReader(countryHeaders: readonly string[]): (headers: readonly string[]) => RequestHead {
  return (headers) => {
    const head: RequestHead = {
      host: '',
      userAgent: '',
      referrer: '',
      forwardedFor: '',
      country: '',
      traceparent: '',
      prefetch: false,
    };
    let hosts = 0;
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const name = headers[i]!;
      const value = headers[i + 1]!;
      if (name === 'host') head.host = (hosts += 1) > 1 ? undefined : value;
      else if (name === 'user-agent') head.userAgent ||= value;
      else if (name === 'referer') head.referrer ||= value;
      else if (name === 'x-forwarded-for') head.forwardedFor += head.forwardedFor === '' ? value : `,${value}`;
      else if (name === 'traceparent') head.traceparent ||= value;
      else if (purposes.includes(name)) head.prefetch ||= isPrefetch(value);
      else if (countryHeaders.includes(name)) head.country ||= value;
    }
    return head;
  };
}
