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
 * Interval of later runs. They find workspaces that replicas with another DEFAULT_PLAN created during a rolling restart; a
 * shorter interval would make those replicas frequently overrule each other.
 */
const DEFAULT_PLAN_INTERVAL_MS = 3_600_000;
const RELEASE_INTERVAL_MS = 10_000;
/** Intervals with and without claims. Claims of this replica are watched immediately, those of others after the longer one. */
const CLAIM_WATCH_MS = LEASE_MS / 6;
const NO_CLAIM_WATCH_MS = 10_000;
const USAGE_INTERVAL_MS = 3_600_000;

export interface Jobs {
  /** Announces that a request holds a claim. */
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
  const running = new LeaseWatch(LEASE_MS);
  const claims = startInterval(() => releaseAbandonedRequests({ ...deps, watch: running }), {
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
