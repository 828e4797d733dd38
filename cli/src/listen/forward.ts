import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { fail } from '../errors.js';

/** Longest time of a handler, milliseconds: as long as the service waits for a receiver. */
const TIMEOUT_MS = 15_000;
/** What is kept of a handler's answer, bytes; the service keeps less. */
const KEPT = 64 * 1_024;
/** Headers of one connection, which the next one has of its own (RFC 9110 7.6.1), and its length. */
const ofConnection =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-length|proxy-.*)$/i;

/** What became of a delivery at the handler: its answer, or why there is none. */
export interface Outcome {
  status: number | null;
  error: string | null;
  /** From the request to the whole answer, milliseconds. */
  ms: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Where to forward to, as it is typed: an http(s) URL; without a scheme it is http. Fails with `usage` for anything else. */
export function forwardUrl(text: string): URL {
  const typed = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw fail('usage', `${text} is no http(s) address to forward to.`);
}

/**
 * Posts a body under its headers (names and values in turn), both unchanged, and reads the answer; follows no redirect.
 * Never rejects: what goes wrong is the outcome.
 */
export async function forward(
  target: URL,
  { rawHeaders, body }: { rawHeaders: string[]; body: Buffer },
  gone?: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const ended = (): number => Math.round(performance.now() - began);
  try {
    const signal = gone ? AbortSignal.any([gone, late]) : late;
    const answer = await post(target, headersOf(target, rawHeaders, body), body, signal);
    const kept = await read(answer);
    return { status: answer.statusCode!, error: null, ms: ended(), headers: passedOn(answer), body: kept };
  } catch (error) {
    const reason = late.aborted
      ? `no answer within ${TIMEOUT_MS / 1_000} s`
      : gone?.aborted
        ? 'the service stopped waiting'
        : reasonOf(error);
    return { status: null, error: reason, ms: ended(), headers: {}, body: Buffer.from(`tautan listen: ${reason}\n`) };
  }
}

function post(target: URL, headers: string[], body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A connection for each: a handler that is restarted between two deliveries costs none of them.
    request(target, { method: 'POST', headers, signal, agent: false })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}

function headersOf({ host }: URL, raw: string[], body: Buffer): string[] {
  const headers = ['host', host, 'content-length', String(body.length)];
  for (let at = 0; at < raw.length; at += 2) {
    if (!ofConnection.test(raw[at]!)) headers.push(raw[at]!, raw[at + 1]!);
  }
  return headers;
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (bytes < KEPT) chunks.push(chunk.subarray(0, KEPT - bytes));
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** What the service reads of a receiver's answer beside its status and body. */
const passedOn = ({ headers }: IncomingMessage): Record<string, string> => ({
  ...(headers['content-type'] !== undefined && { 'content-type': headers['content-type'] }),
  ...(headers['retry-after'] !== undefined && { 'retry-after': headers['retry-after'] }),
});

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'host unreachable',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  return reasons[code] ?? message;
}
