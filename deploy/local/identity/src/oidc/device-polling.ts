import type { ServerResponse } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import { hashOf } from './storage-keys.js';

/** Grant type of device polls (RFC 8628 section 3.4). */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Seconds that slow_down adds to the interval (RFC 8628 section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** Tolerance in ms for early polls, because clocks and networks are not exact. */
const TOLERANCE_MS = 250;
/** Maximum number of device codes in memory. */
const MAX_DEVICE_CODES = 1_000;

/**
 * Adds polling control (RFC 8628) to oidc-provider: `interval` (seconds) in the device authorization response (section
 * 3.2), and `slow_down` for devices that poll too often (section 3.5), which increases their interval by 5 seconds.
 */
export function limitDevicePolling(provider: Provider, interval: number): void {
  const polls = new Polls(interval * 1000);
  provider.use(async (ctx, next) => {
    await next();
    const { oidc } = ctx as unknown as KoaContextWithOIDC;
    if (oidc?.route === 'device_authorization' && ctx.status === 200) Object.assign(ctx.body as object, { interval });
    if (oidc?.route !== 'token' || oidc.params?.['grant_type'] !== DEVICE_CODE_GRANT) return;
    const isPending = (ctx.body as { error?: string }).error === 'authorization_pending';
    if (isPending) pendingPolls.add(ctx.res);
    const isTooEarly = isPending && polls.record(hashOf(String(oidc.params['device_code'])));
    if (isTooEarly)
      ctx.body = {
        error: 'slow_down',
        error_description: `wait ${SLOW_DOWN_SECONDS} seconds longer between two requests`,
      };
  });
}

const pendingPolls = new WeakSet<ServerResponse>();

/** Returns whether a response reports a pending authorization to a device. */
export const isPendingPoll = (response: ServerResponse): boolean => pendingPolls.has(response);

/** The last poll and the current interval of each device code. */
class Polls {
  readonly #known = new Map<string, { at: number; intervalMs: number }>();

  constructor(private readonly intervalMs: number) {}

  /** Records a poll. Returns whether it came too early, which increases the interval. */
  record(key: string): boolean {
    const now = performance.now();
    const { at, intervalMs } = this.#known.get(key) ?? { at: -Infinity, intervalMs: this.intervalMs };
    const tooEarly = now - at < intervalMs - TOLERANCE_MS;
    this.#known.delete(key);
    this.#known.set(key, { at: now, intervalMs: tooEarly ? intervalMs + SLOW_DOWN_SECONDS * 1000 : intervalMs });
    if (this.#known.size > MAX_DEVICE_CODES) this.#known.delete(this.#known.keys().next().value!);
    return tooEarly;
  }
}
