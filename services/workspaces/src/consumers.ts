import { Gathering, type Log } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, type DeadLetters } from '@tautan/kit/mongo';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import type { AuditStore } from './store/audit.js';
import type { PlanDeps } from './usecases/change-plan.js';
import { countChanges, type CountChange, type CountDeps } from './usecases/count-changes.js';
import { followPlans } from './usecases/follow-plans.js';
import { recordAudit } from './usecases/record-audit.js';

interface ConsumerDeps extends CountDeps, PlanDeps {
  bus: Bus;
  audit: AuditStore;
  deadLetters: DeadLetters;
  log: Log;
}

/** Events that are handled together at most, and the time that the first of them waits for others, milliseconds. */
const MOST_TOGETHER = 64;
const LINGER_MS = 5;

type Work = (deps: ConsumerDeps, events: TautanEvent[]) => Promise<void>;

const counting =
  (field: CountChange['field'], step: 1 | -1): Work =>
  (deps, events) =>
    countChanges(deps, events.map(({ id, workspaceId }) => ({ id, workspaceId, field, step }))); // prettier-ignore

/** What this service does at which event; each by a durable of its own. */
const table: { durable: string; subject: string; work: Work }[] = [
  { durable: 'workspaces-link-created', subject: eventSubject('link.created'), work: counting('linkCount', 1) },
  { durable: 'workspaces-link-deleted', subject: eventSubject('link.deleted'), work: counting('linkCount', -1) },
  { durable: 'workspaces-qr-code-created', subject: eventSubject('qr_code.created'), work: counting('qrCodeCount', 1) },
  {
    durable: 'workspaces-qr-code-deleted',
    subject: eventSubject('qr_code.deleted'),
    work: counting('qrCodeCount', -1),
  },
  {
    durable: 'workspaces-plan',
    subject: eventSubject('subscription.>'),
    work: (deps, events) => followPlans(deps, events as TautanEvent<'subscription.updated'>[]),
  },
  { durable: 'workspaces-audit', subject: eventSubject('>'), work: recordAudit },
];

/**
 * Consumes events, by durables that all replicas share. What is no event is set aside at once,
 * what fails by itself after a few deliveries; while the database is away it comes again for ever.
 */
export function startConsumers(deps: ConsumerDeps): { stop(): Promise<void> } {
  const { bus, deadLetters, log } = deps;
  const consumers = table.map(({ durable, subject, work }) => {
    const together = new Gathering<TautanEvent, void>({
      most: MOST_TOGETHER,
      // One after the other, so that they stay in their order and never meet each other in the database.
      atOnce: 1,
      lingerMs: LINGER_MS,
      apply: async (events) => {
        await work(deps, events);
        return events.map(() => undefined);
      },
    });
    const source = { durable, subject, atOnce: MOST_TOGETHER, deadLetters, log };
    return consumeEvents(bus, { ...source, handle: (event) => together.run(event) }, isTransient);
  });
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}
