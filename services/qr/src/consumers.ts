import { faultCode, type Log, type Principal } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, type DeadLetters } from '@tautan/kit/mongo';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import { archiveLinkCodes } from './usecases/archive-link-codes.js';
import type { ChangeDeps } from './steps/change-code.js';
import { syncLinkSnapshots } from './usecases/sync-link-snapshots.js';

interface ConsumerDeps extends ChangeDeps {
  bus: Bus;
  deadLetters: DeadLetters;
  log: Log;
}

const MAX_CONCURRENT = 16;

type Work = (deps: ConsumerDeps, event: TautanEvent) => Promise<void>;

/** The consumed events. Each has its own durable consumer, shared by all replicas. */
const table: { durable: string; type: TautanEvent['type']; work: Work }[] = [
  {
    durable: 'qr-link-deleted',
    type: 'link.deleted',
    work: (deps, event) =>
      archiveLinkCodes(deps, actorOf(event), { workspaceId: event.workspaceId, linkId: event.target.id }),
  },
  { durable: 'qr-link-updated', type: 'link.updated', work: syncSnapshots },
  { durable: 'qr-link-expired', type: 'link.expired', work: syncSnapshots },
  {
    durable: 'qr-tag-deleted',
    type: 'tag.deleted',
    work: ({ store }, { workspaceId, target }) => store.qrCodes.dropTag(workspaceId, target.id),
  },
];

/**
 * Updates the snapshots of a link in its QR codes. Does nothing if the link, like most links, had no QR codes at the
 * time of the event: codes that are created later get a snapshot at least as recent as the event.
 */
async function syncSnapshots(deps: ConsumerDeps, { workspaceId, target, data }: TautanEvent): Promise<void> {
  if ('qrCodeCount' in data && data.qrCodeCount === 0) return;
  await syncLinkSnapshots(deps, { workspaceId, linkId: target.id });
}

/**
 * Consumes events. Malformed events are dead-lettered immediately, and failing ones after a few deliveries. Events that
 * fail with a temporary error (see `isTemporary`) are redelivered indefinitely.
 */
export function startConsumers(deps: ConsumerDeps): { stop(): Promise<void> } {
  const { bus, log, deadLetters } = deps;
  const consumers = table.map(({ durable, type, work }) => {
    const subject = eventSubject(type);
    const handle = (event: TautanEvent) => work(deps, event);
    return consumeEvents(bus, { durable, subject, concurrency: MAX_CONCURRENT, handle, deadLetters, log }, isTemporary);
  });
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}

/**
 * Returns whether an error is temporary and not caused by the event: the database or the link service is unavailable,
 * or a QR code is being created or changed concurrently.
 */
const isTemporary = (error: unknown): boolean => isTransient(error) || faultCode(error) === 'TIMEOUT';

/** Returns the principal that caused an event, for attribution of its effects; null for the system. */
function actorOf({ actor, workspaceId, ip, userAgent, requestId }: TautanEvent): Principal | null {
  if (actor.type === 'system' || actor.id === null) return null;
  const { type: kind, id, name } = actor;
  return { workspaceId, kind, id, name, role: 'member', plan: 'UNLIMITED', ip, userAgent, requestId: requestId ?? '' };
}
