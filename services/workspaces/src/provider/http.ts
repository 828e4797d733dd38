import type { Upstream } from '@tautan/kit';
import { Agent, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici';

/** Idle connections are closed before a provider is likely to close them. */
const keepAliveAgent = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000 });
const newConnectionAgent = new Agent({ pipelining: 0 });

const connectionLostCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

type Recorder = Pick<Upstream, 'recordRetryAfter'>;

/**
 * `fetch` for calls to the provider, which may close an idle connection just as it is reused. A GET request is then
 * retried once on a new connection. Other requests always use a new connection, because after such a failure it would
 * be unknown whether they took effect.
 */
export async function fetchProvider(upstream: Recorder, url: string, init: RequestInit): Promise<Response> {
  if ((init.method ?? 'GET') !== 'GET') return send(upstream, url, init, newConnectionAgent);
  try {
    return await send(upstream, url, init, keepAliveAgent);
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
    if (!connectionLostCodes.includes(code)) throw error;
    return send(upstream, url, init, newConnectionAgent);
  }
}

async function send(upstream: Recorder, url: string, init: RequestInit, dispatcher: Agent): Promise<Response> {
  const response = await undiciFetch(url, { ...(init as UndiciInit), dispatcher });
  upstream.recordRetryAfter(response.status, response.headers.get('retry-after'));
  return response;
}
