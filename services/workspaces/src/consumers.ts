import { Batcher, withTimeout, type Log } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, type DeadLetters } from '@tautan/kit/mongo';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import { applyEvents, type ApplyDeps } from './audit/usecases/apply-events.js';
import type { PlanDeps } from './plans/steps/change-plan.js';
import type { CountChange } from './workspaces/steps/apply-count-changes.js';
import { applySubscriptionEvents } from './plans/usecases/apply-subscription-events.js';
import { mailInvitation, type MailDeps } from './members/usecases/mail-invitation.js';

interface ConsumerDeps extends ApplyDeps, PlanDeps {
  bus: Bus;
  deadLetters: DeadLetters;
  log: Log;
}

const MAX_BATCH = 128;
/**
 * Maximum number of unacknowledged events per consumer, across all replicas. Four batches, so that several replicas can
 * each fill one.
 */
const MAX_IN_FLIGHT = 4 * MAX_BATCH;
/**
 * The effects of several events are applied in one transaction. `lingerMs` collects the events of one change, which
 * arrive together. Under load, a batch starts at least `everyMs` after the start of the previous one, unless it is
 * full.
 */
const BATCHING = { maxSize: MAX_BATCH, concurrency: 1, lingerMs: 50, everyMs: 500 };
/** Maximum time that the first subscription event of a batch waits for others, milliseconds. */
const PLAN_LINGER_MS = 100;

/** Maximum number of emails sent concurrently. */
const MAIL_CONCURRENCY = 2;
/**
 * Maximum number of invitations that wait for a retry, across all replicas. Once it is reached, no other invitation
 * is mailed.
 */
const MAX_UNSENT_MAILS = 1_000;

/**
 * Mails invitations, whose events come from a durable consumer shared by all replicas. A mail is retried until the mail
 * server accepts it or permanently refuses its recipient, or the invitation is a day old.
 */
export function startMailing(deps: MailDeps & Pick<ConsumerDeps, 'bus' | 'deadLetters'>): {
  /**
   * Waits up to `withinMs` for the emails that are being sent. The events of emails that take longer are redelivered,
   * so these emails are sent again.
   */
  stop(withinMs: number): Promise<void>;
} {
  const { bus, deadLetters, log } = deps;
  const handle = (event: TautanEvent): Promise<void> => mailInvitation(deps, event as TautanEvent<'member.invited'>);
  const source = { durable: 'workspaces-invitation-mail', subject: eventSubject('member.invited') };
  const consumer = consumeEvents(
    bus,
    { ...source, maxInFlight: MAX_UNSENT_MAILS, concurrency: MAIL_CONCURRENCY, handle, deadLetters, log },
    () => true,
  );
  return {
    stop: async (withinMs) => {
      await withTimeout(consumer.stop(), withinMs, () => undefined);
      await deps.mailer.stop();
    },
  };
}

/** The effect of an event in this service. */
type Effect = { audited: TautanEvent } | { counted: CountChange };

const counting =
  (field: CountChange['field'], step: 1 | -1) =>
  ({ id, workspaceId }: TautanEvent): Effect => ({ counted: { id, workspaceId, field, step } });

/** The durable consumers whose events are counted or recorded in the audit log, and the effect of these events. */
const effects: { durable: string; subject: string; effectOf: (event: TautanEvent) => Effect }[] = [
  { durable: 'workspaces-link-created', subject: eventSubject('link.created'), effectOf: counting('linkCount', 1) },
  { durable: 'workspaces-link-deleted', subject: eventSubject('link.deleted'), effectOf: counting('linkCount', -1) },
  {
    durable: 'workspaces-qr-code-created',
    subject: eventSubject('qr_code.created'),
    effectOf: counting('qrCodeCount', 1),
  },
  {
    durable: 'workspaces-qr-code-deleted',
    subject: eventSubject('qr_code.deleted'),
    effectOf: counting('qrCodeCount', -1),
  },
  { durable: 'workspaces-audit', subject: eventSubject('>'), effectOf: (audited) => ({ audited }) },
];

/**
 * Consumes events from durable consumers that all replicas share. Malformed events are dead-lettered immediately;
 * events that fail permanently are dead-lettered after a few deliveries. While the database is unavailable, events are
 * redelivered.
 */
export function startConsumers(deps: ConsumerDeps): { stop(): Promise<void> } {
  const { bus, deadLetters, log } = deps;
  const batcher = new Batcher<Effect, void>({
    ...BATCHING,
    isItemError: (error) => !isTransient(error),
    apply: async (batch) => {
      const audited = batch.flatMap((effect) => ('audited' in effect ? [effect.audited] : []));
      const counted = batch.flatMap((effect) => ('counted' in effect ? [effect.counted] : []));
      await applyEvents(deps, { audited, counted });
      return batch.map(() => undefined);
    },
  });
  const plans = new Batcher<TautanEvent, void>({
    maxSize: MAX_BATCH,
    concurrency: 1,
    lingerMs: PLAN_LINGER_MS,
    isItemError: (error) => !isTransient(error),
    apply: async (events) => {
      await applySubscriptionEvents(deps, events as TautanEvent<'subscription.updated'>[]);
      return events.map(() => undefined);
    },
  });
  const common = { maxInFlight: MAX_IN_FLIGHT, concurrency: MAX_BATCH, deadLetters, log };
  const consumers = [
    ...effects.map(({ effectOf, ...source }) => ({
      ...source,
      handle: (event: TautanEvent) => batcher.run(effectOf(event)),
    })),
    {
      durable: 'workspaces-plan',
      subject: eventSubject('subscription.>'),
      handle: (event: TautanEvent) => plans.run(event),
    },
  ].map((source) => consumeEvents(bus, { ...common, ...source }, isTransient));
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}
