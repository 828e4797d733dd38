import { newUlid } from '@tautan/kit';
import type { Bus } from '@tautan/kit/bus';
import { deliveriesDue, invalidations } from '@tautan/proto';

/** An endpoint that was created, changed or removed. */
export interface EndpointChange {
  workspaceId: string;
  endpointId: string;
}

/** What the replicas tell each other. Any of it may be lost: nothing but speed depends on it. */
export class Signals {
  readonly #me = newUlid();
  readonly #changeListeners: ((change: EndpointChange) => void)[] = [];
  #onDue: ((endpointIds: readonly string[]) => string[]) | undefined;

  constructor(private readonly bus: Bus) {
    bus.listen(invalidations.webhookEndpoint, (told) => this.#changed(told as EndpointChange));
    bus.listen(deliveriesDue, (told) => {
      const { endpointIds, by } = told as { endpointIds: string[]; by: string };
      if (by !== this.#me) this.#onDue?.(endpointIds);
    });
  }

  /** Calls back for every change of an endpoint, by whichever replica. */
  onEndpointChanged(listener: (change: EndpointChange) => void): void {
    this.#changeListeners.push(listener);
  }

  /** Calls back for deliveries that are due; the listener answers the endpoints that are not in its hands. */
  onDue(listener: (endpointIds: readonly string[]) => string[]): void {
    this.#onDue = listener;
  }

  readonly endpointChanged = (change: EndpointChange): void => {
    this.#changed(change);
    this.bus.notify(invalidations.webhookEndpoint, change);
  };

  /** Deliveries to endpoints are due. What is in work here is nobody else's concern. */
  readonly wake = (endpointIds: string[]): void => {
    const others = this.#onDue?.(endpointIds) ?? endpointIds;
    if (others.length > 0) this.bus.notify(deliveriesDue, { endpointIds: others, by: this.#me });
  };

  #changed(change: EndpointChange): void {
    for (const listener of this.#changeListeners) listener(change);
  }
}
