import { errorCatalogue, fail } from '@tautan/kit';
import { planNames, type Plan, type PlanName, type Plans } from '@tautan/proto';
import ipaddr from 'ipaddr.js';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from './config.js';
import type { Limiter, LimitStore } from './limit-store.js';
import type { Context } from './state.js';

/** A limiter: so many requests in a time, per key. */
export interface Limit {
  points: number;
  limiter: Limiter;
}

export interface Limits {
  /** Of a workspace by its plan, reads and writes separately; per second. */
  workspace(plan: PlanName, kind: 'read' | 'write'): Limit;
  /** Of a client address on public operations and unknown paths. */
  public: Limit;
  /** Of a client address that shows credentials which are not valid. */
  failures: Limit;
  /** Of a client address that signs in, or up, or tries to; per minute. */
  auth: Limit;
  /** Of a client address that posts notices of the payment provider; per second. */
  provider: Limit;
}

/** The limits that the settings name, counted in a store. */
export function createLimits(config: GatewayConfig, plans: Plans, store: LimitStore): Limits {
  const limit = (keyPrefix: string, points: number, seconds = 1): Limit => ({
    points,
    limiter: store.limiter(keyPrefix, points, seconds),
  });
  const ofPlan = ({ name, rateLimits: { read, write } }: Plan) => ({
    read: limit(`${name.toLowerCase()}:r`, read),
    write: limit(`${name.toLowerCase()}:w`, write),
  });
  const workspaces = new Map(planNames.map((name) => [name, ofPlan(plans[name])]));
  return {
    workspace: (name, kind) => workspaces.get(name)![kind],
    public: limit('public', config.RATE_LIMIT_PUBLIC),
    failures: limit('failures', config.RATE_LIMIT_PUBLIC),
    auth: limit('auth', config.RATE_LIMIT_AUTH, 60),
    provider: limit('provider', config.RATE_LIMIT_PROVIDER),
  };
}

/** The key of a client address: the address itself, for IPv6 its /64, which is what one client has. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip;
  return ipaddr.IPv6.parse(ip).parts.slice(0, 4).join(':');
}

/** Counts a request against a limit and says so in its answer's headers. Throws TOO_MANY_REQUESTS beyond it. */
export async function count(ctx: Context, { limiter, points }: Limit, key: string): Promise<void> {
  try {
    tell(ctx, points, await limiter.consume(key));
  } catch (spent) {
    refuse(ctx, points, spent as RateLimiterRes);
  }
}

/** Throws TOO_MANY_REQUESTS when a key has used up a limit already; counts nothing. */
export async function refuseIfSpent(ctx: Context, { limiter, points }: Limit, key: string): Promise<void> {
  const spent = await limiter.get(key);
  if (spent && spent.remainingPoints <= 0) refuse(ctx, points, spent);
}

function refuse(ctx: Context, points: number, spent: RateLimiterRes): never {
  if (spent instanceof Error) throw spent;
  tell(ctx, points, spent);
  ctx.set('Retry-After', String(seconds(spent)));
  throw fail('TOO_MANY_REQUESTS', errorCatalogue.TOO_MANY_REQUESTS.description);
}

function tell(ctx: Context, points: number, spent: RateLimiterRes): void {
  for (const prefix of ['RateLimit', 'X-RateLimit']) {
    ctx.set(`${prefix}-Limit`, String(points));
    ctx.set(`${prefix}-Remaining`, String(spent.remainingPoints));
    ctx.set(`${prefix}-Reset`, String(seconds(spent)));
  }
}

/** Whole seconds, at least 1. */
const seconds = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1_000));
