import { expect } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Client } from './client.js';
import type { ApiAuditEntry, EndpointWithSecret } from './events.js';
import { accepted } from './people.js';
import { startReceiver, verifySigned, type Received, type Receiver } from './receiver.js';

/**
 * Records the events of a workspace through a webhook endpoint that subscribes to all of them, and reads the audit log.
 */
export interface EventRecorder {
  receiver: Receiver;
  endpoint: EndpointWithSecret;
  /** The event types that `emittedOnce` has verified. */
  seen: Set<string>;
  /** Returns the audit entries with this action and target. */
  audited: (action: string, targetId: string) => Promise<ApiAuditEntry[]>;
  /**
   * Waits for an event of a type about a resource. Returns its delivery and its audit entry. Throws if there is not
   * exactly one of each, or if the signature is invalid.
   */
  emittedOnce: (type: string, id: string) => Promise<{ delivery: Received; entry: ApiAuditEntry }>;
  stop: () => Promise<void>;
}

/** Subscribes to all events of a workspace. */
export async function recordEvents(api: Client): Promise<EventRecorder> {
  const receiver = await startReceiver();
  const endpoint = accepted(await api.post<EndpointWithSecret>('/webhooks', { url: receiver.url, events: ['*'] }));
  const seen = new Set<string>();
  const audited: EventRecorder['audited'] = async (action, targetId) =>
    accepted(await api.get<ApiAuditEntry[]>(`/audit-log?action=${action}&limit=200`)).filter(
      ({ target }) => target.id === targetId,
    );
  const emittedOnce: EventRecorder['emittedOnce'] = async (type, id) => {
    const about = () => receiver.of(type).filter(({ event }) => event.data['id'] === id);
    await eventually(() => expect(about()).toHaveLength(1));
    const [delivery] = about() as [Received];
    verifySigned(delivery, endpoint.secret);
    expect(delivery.headers['webhook-id']).toBe(delivery.event.id);
    seen.add(type);
    await eventually(async () => expect(await audited(type, id)).toHaveLength(1));
    const [entry] = (await audited(type, id)) as [ApiAuditEntry];
    expect(entry.id).toBe(`aud_${delivery.event.id.slice('evt_'.length)}`);
    return { delivery, entry };
  };
  return { receiver, endpoint, seen, audited, emittedOnce, stop: () => receiver.stop() };
}
