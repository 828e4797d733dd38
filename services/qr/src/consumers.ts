import { faultCode, type Log, type Principal } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, type DeadLetters } from '@tautan/kit/mongo';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import { archiveLinkCodes } from './usecases/archive-link-codes.js';
import type { ChangeDeps } from './usecases/change-code.js';
import { followLink } from './usecases/follow-links.js';

interface ConsumerDeps extends ChangeDeps {
  bus: Bus;
  deadLetters: DeadLetters;
  log: Log;
}

const AT_ONCE = 16;

type Work = (deps: ConsumerDeps, event: TautanEvent) => Promise<void>;

/** What this service does at which event; each by a durable of its own, which all replicas share. */
const table: { durable: string; type: TautanEvent['type']; work: Work }[] = [
  {
    durable: 'qr-link-deleted',
    type: 'link.deleted',
    work: (deps, event) =>
      archiveLinkCodes(deps, actorOf(event), { workspaceId: event.workspaceId, linkId: event.target.id }),
  },
  { durable: 'qr-link-updated', type: 'link.updated', work: follow },
  { durable: 'qr-link-expired', type: 'link.expired', work: follow },
  {
    durable: 'qr-tag-deleted',
    type: 'tag.deleted',
    work: ({ store }, { workspaceId, target }) => store.qrCodes.dropTag(workspaceId, target.id),
  },
];

/** Most links have no QR codes. A code that came to the link after the event has seen the link as it was then, or later. */
async function follow(deps: ConsumerDeps, { workspaceId, target, data }: TautanEvent): Promise<void> {
  if ('qrCodeCount' in data && data.qrCodeCount === 0) return;
  await followLink(deps, workspaceId, target.id);
}

/**
 * Consumes events. What is no event is set aside at once, what fails by itself after a few deliveries; while the database or
 * the link service is away it comes again for ever.
 */
export function startConsumers(deps: ConsumerDeps): { stop(): Promise<void> } {
  const { bus, log, deadLetters } = deps;
  const consumers = table.map(({ durable, type, work }) => {
    const subject = eventSubject(type);
    const handle = (event: TautanEvent) => work(deps, event);
    return consumeEvents(bus, { durable, subject, atOnce: AT_ONCE, handle, deadLetters, log }, isAway);
  });
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}

/** Whether the database or the link service is away: never the fault of the event at hand. */
const isAway = (error: unknown): boolean => isTransient(error) || faultCode(error) === 'TIMEOUT';

/** Whoever caused an event, as the cause of what follows from it; null for the system. */
function actorOf({ actor, workspaceId, ip, userAgent, requestId }: TautanEvent): Principal | null {
  if (actor.type === 'system' || actor.id === null) return null;
  const { type: kind, id, name } = actor;
  return { workspaceId, kind, id, name, role: 'member', plan: 'UNLIMITED', ip, userAgent, requestId: requestId ?? '' };
}
