import { fail, type CliError } from './errors.js';

const sentences: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `Connection to ${host} refused.`,
  ENOTFOUND: (host) => `Host not found: ${host}.`,
  EAI_AGAIN: (host) => `The host name ${host} could not be resolved.`,
  ECONNRESET: (host) => `${host} closed the connection.`,
  UND_ERR_SOCKET: (host) => `${host} closed the connection.`,
  EHOSTUNREACH: (host) => `${host} cannot be reached.`,
  ENETUNREACH: (host) => `${host} cannot be reached.`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `Connection to ${host} timed out.`,
};

/** Returns the code of a connection error, such as `ECONNREFUSED` or `TIMEOUT`, or undefined for other errors. */
function connectionCode(error: unknown): string | undefined {
  for (let at = error as NodeJS.ErrnoException | undefined; at instanceof Error; at = at.cause as typeof at) {
    if (at.name === 'TimeoutError') return 'TIMEOUT';
    if (typeof at.code === 'string' && (at.code in sentences || /CERT|SSL|TLS/.test(at.code))) return at.code;
    // A connection to a host name with several IP addresses fails with one error per address.
    if ('errors' in at) at.cause ??= (at as AggregateError).errors[0];
  }
  return undefined;
}

/** Returns the error for a failed request to `url`. */
export function unreachable(url: string, error: unknown): CliError {
  const { host } = new URL(url);
  const code = connectionCode(error);
  if (code === 'TIMEOUT') return fail('unavailable', `The request to ${host} timed out.`);
  const sentence = code && sentences[code]?.(host);
  if (sentence) return fail('unavailable', sentence, { hint: 'Check the service URL (--url or TAUTAN_URL).' });
  const reason = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
  return fail('unavailable', `The request to ${host} failed: ${reason}.`);
}
