import { noteRetryAfter } from '@tautan/kit';
import { Agent, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici';

/** Idle connections are closed before a provider is likely to do so. */
const kept = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000 });
const fresh = new Agent({ pipelining: 0 });

const lostCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/**
 * `fetch` for calls of the provider. It may close an idle connection just as that is used again. What only reads is then
 * repeated, once; all else has a connection of its own from the start, since nobody could say whether it took effect.
 */
export async function fetchProvider(url: string, init: RequestInit): Promise<Response> {
  if ((init.method ?? 'GET') !== 'GET') return send(url, init, fresh);
  try {
    return await send(url, init, kept);
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
    if (!lostCodes.includes(code)) throw error;
    return send(url, init, fresh);
  }
}

async function send(url: string, init: RequestInit, dispatcher: Agent): Promise<Response> {
  const response = await undiciFetch(url, { ...(init as UndiciInit), dispatcher });
  noteRetryAfter(response.status, response.headers.get('retry-after'));
  return response;
}
