import { setTimeout as sleep } from 'node:timers/promises';
import { connectionCode } from '../connection.js';

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 250;
/** Longest pause that a Retry-After is worth waiting for, milliseconds. */
const LONGEST_WAIT_MS = 20_000;
const transient = new Set([429, 502, 503, 504]);
/** Broken off in the middle: worth another try, unlike an address that is wrong. */
const broken = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);

/**
 * Sends a request until it has an answer worth showing: after 429, 502, 503, 504 and cut connections, four times at most,
 * with growing pauses or those that Retry-After asks for. Answers how often it was sent.
 */
export async function withRetries(send: () => Promise<Response>): Promise<{ response: Response; attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    const last = attempts === ATTEMPTS;
    let pause = FIRST_DELAY_MS * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
    try {
      const response = await send();
      pause = retryAfterMs(response) ?? pause;
      if (last || !(await isTransient(response, attempts)) || pause > LONGEST_WAIT_MS) return { response, attempts };
      await response.body?.cancel();
    } catch (error) {
      if (last || !broken.has(connectionCode(error) ?? '')) throw error;
    }
    await sleep(pause);
  }
}

/** A repetition can meet its own first attempt while that still runs; then the answer is on its way. */
async function isTransient(response: Response, attempts: number): Promise<boolean> {
  if (transient.has(response.status)) return true;
  if (response.status !== 409 || attempts === 1) return false;
  return (await response.clone().text()).includes('IDEMPOTENCY_IN_PROGRESS');
}

/** Retry-After in milliseconds (RFC 9110 10.2.3, seconds or a date), when there is a readable one. */
function retryAfterMs(response: Response): number | undefined {
  const value = response.headers.get('retry-after');
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
