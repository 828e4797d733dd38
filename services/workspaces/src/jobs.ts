import { LeaseWatch, startInterval, type Log, type Registry } from '@tautan/kit';
import { watchUsage } from '@tautan/plans/usage';
import { LEASE_MS } from './requests/domain/idempotency.js';
import { ABANDONED_AFTER_MS } from './members/domain/invitation.js';
import type { IdempotentRequestStore } from './requests/store/idempotent-requests.js';
import type { InvitationReservationStore } from './members/store/invitation-reservations.js';
import type { MemberUsage } from './store/member-usage.js';
import { applyDefaultPlan } from './plans/usecases/apply-default-plan.js';
import type { PlanDeps } from './plans/steps/change-plan.js';
import { releaseAbandonedRequests } from './requests/usecases/release-abandoned-requests.js';
import { releaseAbandonedInvitations } from './members/usecases/release-abandoned-invitations.js';

interface JobDeps extends PlanDeps {
  usage: MemberUsage;
  invitations: InvitationReservationStore;
  requests: IdempotentRequestStore;
  now: () => Date;
  registry: Registry;
  ready: () => boolean;
  databaseReady: () => boolean;
  log: Log;
}

const SECOND_MS = 1_000;
/**
 * Interval at which the default plan is applied after the first time. The later runs find workspaces that replicas with
 * another DEFAULT_PLAN created during a rolling restart. With a shorter interval, replicas with different values would
 * frequently overrule each other.
 */
const DEFAULT_PLAN_INTERVAL_MS = 3_600_000;
const RELEASE_INTERVAL_MS = 10_000;
/** Interval of the check for abandoned claims of idempotency keys while there are claims. */
const CLAIM_WATCH_MS = LEASE_MS / 6;
/**
 * Interval of the check for abandoned claims while there are no claims. A claim through this replica starts the shorter
 * interval; a claim through another replica is noticed after at most this time.
 */
const NO_CLAIM_WATCH_MS = 10_000;
const USAGE_INTERVAL_MS = 3_600_000;

export interface Jobs {
  /** Must be called when a request has claimed its idempotency key, so that the claim is watched soon. */
  watchClaims(): void;
  stop(): Promise<void>;
}

/** Starts the background jobs. */
export function startJobs({ ready, databaseReady, log, registry, usage, ...deps }: JobDeps): Jobs {
  let nextDefaultPlan = 0;
  const defaultPlan = async (): Promise<void> => {
    if (performance.now() < nextDefaultPlan) return;
    await applyDefaultPlan(deps);
    nextDefaultPlan = performance.now() + DEFAULT_PLAN_INTERVAL_MS;
  };
  const reservations = new LeaseWatch<string>(ABANDONED_AFTER_MS);
  const release = () => releaseAbandonedInvitations({ ...deps, usage, watch: reservations });
  const claimLeases = new LeaseWatch(LEASE_MS);
  const claims = startInterval(() => releaseAbandonedRequests({ ...deps, watch: claimLeases }), {
    name: 'abandoned claims',
    everyMs: CLAIM_WATCH_MS,
    idleMs: NO_CLAIM_WATCH_MS,
    ready: databaseReady,
    log,
  });
  const jobs = [
    claims,
    startInterval(defaultPlan, { name: 'default plan', everyMs: SECOND_MS, ready, log }),
    startInterval(release, { name: 'abandoned invitations', everyMs: RELEASE_INTERVAL_MS, ready, log }),
    watchUsage(usage.counters, { registry, now: deps.now, everyMs: USAGE_INTERVAL_MS, ready, log }),
  ];
  return {
    watchClaims: () => claims.soon(),
    stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))),
  };
}
