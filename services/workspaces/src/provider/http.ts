import type { Upstream } from '@tautan/kit';
import { Agent, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici';

/** Idle connections are closed before a provider is likely to close them. */
const kept = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000 });
const fresh = new Agent({ pipelining: 0 });

const lostCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

type Recorder = Pick<Upstream, 'recordRetryAfter'>;

/**
 * `fetch` for calls to the provider, which may close an idle connection just as it is reused. Reads are then retried once. Any
 * other request uses its own connection, because it would be unknown whether a failed one took effect.
 */
export async function fetchProvider(upstream: Recorder, url: string, init: RequestInit): Promise<Response> {
  if ((init.method ?? 'GET') !== 'GET') return send(upstream, url, init, fresh);
  try {
    return await send(upstream, url, init, kept);
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
    if (!lostCodes.includes(code)) throw error;
    return send(upstream, url, init, fresh);
  }
}

async function send(upstream: Recorder, url: string, init: RequestInit, dispatcher: Agent): Promise<Response> {
  const response = await undiciFetch(url, { ...(init as UndiciInit), dispatcher });
  upstream.recordRetryAfter(response.status, response.headers.get('retry-after'));
  return response;
}
