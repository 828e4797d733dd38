import { newUlid } from '@tautan/kit';
import type { Bus } from '@tautan/kit/bus';
import { deliveriesDue, invalidations } from '@tautan/proto';

/** An endpoint that was created, changed or deleted. */
export interface EndpointChange {
  workspaceId: string;
  endpointId: string;
}

/**
 * Best-effort signals between replicas. Losing one delays work, or leaves a cached endpoint or subscription stale for
 * up to 5 s.
 */
export class Signals {
  readonly #replicaId = newUlid();
  readonly #changeListeners: ((change: EndpointChange) => void)[] = [];
  #onDue: ((endpointIds: readonly string[]) => string[]) | undefined;

  constructor(private readonly bus: Bus) {
    bus.listen(invalidations.webhookEndpoint, (change) => this.#changed(change as EndpointChange));
    bus.listen(deliveriesDue, (message) => {
      const { endpointIds, by } = message as { endpointIds: string[]; by: string };
      if (by !== this.#replicaId) this.#onDue?.(endpointIds);
    });
  }

  /** Registers a listener for endpoint changes made by any replica. */
  onEndpointChanged(listener: (change: EndpointChange) => void): void {
    this.#changeListeners.push(listener);
  }

  /**
   * Registers the listener for due deliveries. It receives the ids of endpoints, and returns those that this replica
   * does not process.
   */
  onDue(listener: (endpointIds: readonly string[]) => string[]): void {
    this.#onDue = listener;
  }

  /** Notifies all replicas, including this one, that an endpoint changed. */
  readonly endpointChanged = (change: EndpointChange): void => {
    this.#changed(change);
    this.bus.notify(invalidations.webhookEndpoint, change);
  };

  /** Signals due deliveries to this replica and, for endpoints that it does not process, to the other replicas too. */
  readonly wake = (endpointIds: string[]): void => {
    const others = this.#onDue?.(endpointIds) ?? endpointIds;
    if (others.length > 0) this.bus.notify(deliveriesDue, { endpointIds: others, by: this.#replicaId });
  };

  #changed(change: EndpointChange): void {
    for (const listener of this.#changeListeners) listener(change);
  }
}
