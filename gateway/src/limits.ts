import { addressKeys, Counter, fail, resetSeconds, SITE_FACTOR, type Registry, type LimitState } from '@tautan/kit';
import { planNames, type Plan, type PlanName, type Plans } from '@tautan/proto';
import type { GatewayConfig } from './config.js';
import type { LimitStore } from './limit-store.js';
import type { Limiter } from './sliding-window.js';
import type { Context } from './state.js';

/** A rate limit that is counted separately for each key, such as a workspace id or a client address. */
export interface Limit {
  /** Requests, or units of their cost, per window. */
  points: number;
  limiter: Limiter;
  /** Increments the metric of refused requests. */
  countRefusal: () => void;
}

/** A rate limit for client addresses. */
export interface AddressLimit {
  /** Limit per IPv4 address or IPv6 /64, which belongs to one client. */
  narrow: Limit;
  /** Limit per IPv6 /56, the prefix of a site with many clients: `SITE_FACTOR` times as high. */
  wide: Limit;
}

export interface Limits {
  /** Per workspace by its plan, reads and writes separately; per second. */
  workspace(plan: PlanName, kind: 'read' | 'write'): Limit;
  /** Per client address for public operations and unknown paths; per second. */
  public: AddressLimit;
  /** Per client address for invalid credentials; per second. */
  failures: AddressLimit;
  /** Per client address for signing in and up; per minute. */
  auth: AddressLimit;
  /** Per client address for the payment provider's webhook; per second. */
  provider: AddressLimit;
}

type LimitLabel = 'workspace_read' | 'workspace_write' | 'public' | 'failures' | 'auth' | 'provider';

/** Creates the configured limits, counted in a store. */
export function createLimits(
  config: GatewayConfig,
  plans: Plans,
  { store, registry }: { store: LimitStore; registry: Registry },
): Limits {
  const refusals = new Counter({
    name: 'tautan_rate_limit_refusals_total',
    help: 'Requests refused with 429, by the limit that they exceeded',
    labelNames: ['limit'],
    registers: [registry],
  });
  const limit = (name: LimitLabel, keyPrefix: string, points: number, seconds = 1): Limit => {
    refusals.inc({ limit: name }, 0);
    const countRefusal = () => refusals.inc({ limit: name });
    return { points, limiter: store.limiter(keyPrefix, { points, seconds }), countRefusal };
  };
  const ofAddress = (name: LimitLabel, points: number, seconds = 1): AddressLimit => ({
    narrow: limit(name, name, points, seconds),
    wide: limit(name, `${name}:wide`, points * SITE_FACTOR, seconds),
  });
  const ofPlan = ({ name, rateLimits: { read, write } }: Plan) => ({
    read: limit('workspace_read', `${name.toLowerCase()}:r`, read),
    write: limit('workspace_write', `${name.toLowerCase()}:w`, write),
  });
  const workspaces = new Map(planNames.map((name) => [name, ofPlan(plans[name])]));
  return {
    workspace: (name, kind) => workspaces.get(name)![kind],
    public: ofAddress('public', config.RATE_LIMIT_PUBLIC),
    failures: ofAddress('failures', config.RATE_LIMIT_PUBLIC),
    auth: ofAddress('auth', config.RATE_LIMIT_AUTH, 60),
    provider: ofAddress('provider', config.RATE_LIMIT_PROVIDER),
  };
}

/** Returns the limits that apply to a client address, narrowest first, each with its key. */
function limitsOf({ narrow, wide }: AddressLimit, ip: string): [Limit, string][] {
  const [client, site] = addressKeys(ip);
  return site === undefined
    ? [[narrow, client]]
    : [
        [narrow, client],
        [wide, site],
      ];
}

/**
 * Consumes `cost` points of a limit and sets the rate limit headers. Throws TOO_MANY_REQUESTS if no point is left; one
 * point is enough for a request of any cost.
 */
export async function consume(ctx: Context, limit: Limit, key: string, cost = 1): Promise<void> {
  const state = await limit.limiter.consume(key, cost);
  refuseUnlessAllowed(ctx, limit, state);
  setHeaders(ctx, limit.points, state);
}

/** Consumes further points for a request that was already allowed, even if none are left. */
export async function charge(ctx: Context, limit: Limit, key: string, cost: number): Promise<void> {
  setHeaders(ctx, limit.points, await limit.limiter.charge(key, cost));
}

/** Counts a request from a client address. Throws TOO_MANY_REQUESTS if the address or its /56 exceeds the limit. */
export async function consumeForAddress(ctx: Context, limit: AddressLimit): Promise<void> {
  const [own, ...wider] = limitsOf(limit, ctx.state.client.ip);
  await consume(ctx, ...own!);
  for (const [each, key] of wider) refuseUnlessAllowed(ctx, each, await each.limiter.consume(key));
}

/**
 * Throws TOO_MANY_REQUESTS if the client address has exhausted a limit; does not count the request. Sets the rate limit
 * headers for responses to which no other limit applies.
 */
export async function refuseIfSpent(ctx: Context, limit: AddressLimit): Promise<void> {
  for (const [each, key] of limitsOf(limit, ctx.state.client.ip).toReversed()) {
    const state = await each.limiter.read(key);
    refuseUnlessAllowed(ctx, each, state);
    setHeaders(ctx, each.points, state);
  }
}

function refuseUnlessAllowed(ctx: Context, { points, countRefusal }: Limit, state: LimitState): void {
  if (state.allowed) return;
  countRefusal();
  setHeaders(ctx, points, state);
  const seconds = resetSeconds(state);
  throw fail('TOO_MANY_REQUESTS', `Rate limit exceeded. Try again in ${seconds} s.`, undefined, seconds);
}

const headerNames = ['RateLimit', 'X-RateLimit'].map((prefix) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => `${prefix}-${name}`),
);

function setHeaders(ctx: Context, points: number, state: LimitState): void {
  const values = [points, state.remaining, resetSeconds(state)];
  for (const names of headerNames) names.forEach((name, i) => ctx.set(name, String(values[i])));
}
