import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { fail } from '../errors.js';

/** Timeout of a handler (ms), equal to the service's default timeout for receivers. */
const TIMEOUT_MS = 15_000;
/** Maximum number of bytes kept of a handler's response. The service stores fewer. */
const MAX_RESPONSE_BYTES = 64 * 1_024;
/** Headers that are not forwarded: hop-by-hop headers (RFC 9110 section 7.6.1), Host, Content-Length and Expect. */
const excludedHeaders =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-length|proxy-.*)$/i;

/** The handler's response to a delivery, or the reason why there is none. */
export interface Outcome {
  status: number | null;
  error: string | null;
  /** Time from the request to the complete response (ms). */
  ms: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Parses the URL to forward to. The default scheme is http. Throws `usage` if the text is not an http(s) URL. */
export function forwardUrl(text: string): URL {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw fail('usage', `${text} is not an http(s) URL.`);
}

/**
 * Posts a body unchanged, with its headers (alternating names and values) except the excluded ones, and reads the
 * response. Does not follow redirects. Never rejects: failures are part of the outcome.
 */
export async function forward(
  target: URL,
  { rawHeaders, body }: { rawHeaders: string[]; body: Buffer },
  canceled?: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const signal = canceled ? AbortSignal.any([canceled, timeout]) : timeout;
    const response = await post(target, headersOf(target, rawHeaders, body), body, signal);
    const responseBody = await read(response);
    return {
      status: response.statusCode!,
      error: null,
      ms: elapsed(),
      headers: relayedHeaders(response),
      body: responseBody,
    };
  } catch (error) {
    const reason = timeout.aborted
      ? `no response within ${TIMEOUT_MS / 1_000} s`
      : canceled?.aborted
        ? 'the service stopped waiting'
        : reasonOf(error);
    return { status: null, error: reason, ms: elapsed(), headers: {}, body: Buffer.from(`tautan listen: ${reason}\n`) };
  }
}

function post(target: URL, headers: string[], body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // One connection per delivery, because a handler that restarts closes the connections of earlier deliveries.
    request(target, { method: 'POST', headers, signal, agent: false })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}

function headersOf(target: URL, raw: string[], body: Buffer): string[] {
  const headers = ['host', target.host, 'content-length', String(body.length), ...credentialsOf(target)];
  for (let at = 0; at < raw.length; at += 2) {
    if (!excludedHeaders.test(raw[at]!)) headers.push(raw[at]!, raw[at + 1]!);
  }
  return headers;
}

/** Returns the header with the credentials of a URL. Node.js does not add it to an array of headers. */
function credentialsOf({ username, password }: URL): string[] {
  if (!username && !password) return [];
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`];
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < MAX_RESPONSE_BYTES) chunks.push(chunk.subarray(0, MAX_RESPONSE_BYTES - bytes));
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** Response headers that are relayed: Content-Type, and Retry-After, which the service uses. */
const relayedHeaders = ({ headers }: IncomingMessage): Record<string, string> => ({
  ...(headers['content-type'] !== undefined && { 'content-type': headers['content-type'] }),
  ...(headers['retry-after'] !== undefined && { 'retry-after': headers['retry-after'] }),
});

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'host unreachable',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  return reasons[code] ?? message;
}
