import type { Endpoint } from '../domain/endpoint.js';
import { FAILING_FOR_MS, type Outcome } from '../domain/schedule.js';

export interface HealthDeps {
  /** Notes since when an endpoint has been failing; null for not any more. */
  noteFailing: (endpointId: string, since: Date | null) => Promise<void>;
  /** Switches an endpoint off. */
  disable: (endpoint: { id: string; url: string; reason: string }) => Promise<unknown>;
}

/** Whether an endpoint takes what it is sent. */
export class Health {
  constructor(
    private readonly deps: HealthDeps,
    private readonly endpointId: string,
    private failingSince: Date | null,
  ) {}

  get failing(): boolean {
    return this.failingSince !== null;
  }

  /** Notes an attempt, and switches the endpoint off where that is due. Answers whether it did; can be repeated. */
  async note({ error, statusCode, at }: Outcome, { url }: Endpoint): Promise<boolean> {
    if (error === null) {
      if (this.failing) await this.deps.noteFailing(this.endpointId, null);
      this.failingSince = null;
      return false;
    }
    const since = this.failingSince ?? at;
    if (!this.failing) await this.deps.noteFailing(this.endpointId, since);
    this.failingSince = since;
    const gone = statusCode === 410;
    if (!gone && at.getTime() - since.getTime() < FAILING_FOR_MS) return false;
    const reason = gone ? 'The receiver answered 410 Gone.' : 'Every attempt of the last 3 days failed.';
    await this.deps.disable({ id: this.endpointId, url, reason });
    return true;
  }
}
