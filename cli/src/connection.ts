import { fail, type CliError } from './errors.js';

const sentences: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `Nothing answers at ${host}.`,
  ENOTFOUND: (host) => `There is no host ${host}.`,
  EAI_AGAIN: (host) => `The name ${host} could not be looked up.`,
  ECONNRESET: (host) => `${host} cut the connection.`,
  UND_ERR_SOCKET: (host) => `${host} cut the connection.`,
  EHOSTUNREACH: (host) => `${host} cannot be reached.`,
  ENETUNREACH: (host) => `${host} cannot be reached.`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `${host} did not answer in time.`,
};

/** The system's code of a failed exchange, `TIMEOUT` when it took too long, else undefined. */
function connectionCode(error: unknown): string | undefined {
  for (let at = error as NodeJS.ErrnoException | undefined; at instanceof Error; at = at.cause as typeof at) {
    if (at.name === 'TimeoutError') return 'TIMEOUT';
    if (typeof at.code === 'string' && (at.code in sentences || /CERT|SSL|TLS/.test(at.code))) return at.code;
    // A name with several addresses fails with one error for each.
    if ('errors' in at) at.cause ??= (at as AggregateError).errors[0];
  }
  return undefined;
}

/** Says in a sentence why `url` could not be asked. */
export function unreachable(url: string, error: unknown): CliError {
  const { host } = new URL(url);
  const code = connectionCode(error);
  if (code === 'TIMEOUT') return fail('unavailable', `${host} did not answer in time.`);
  const sentence = code && sentences[code]?.(host);
  if (sentence) return fail('unavailable', sentence, { hint: 'Is the address right? --url or TAUTAN_URL sets it.' });
  const reason = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
  return fail('unavailable', `${host} could not be asked: ${reason}.`);
}
