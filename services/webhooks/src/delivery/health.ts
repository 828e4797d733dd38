import type { Endpoint } from '../domain/endpoint.js';
import { DISABLE_AFTER_MS, type Outcome } from '../domain/schedule.js';

export interface HealthDeps {
  /**
   * Returns the stored time since which an endpoint has been failing; null after a success, and after the endpoint was
   * resumed or its URL changed.
   */
  failingSince: (endpointId: string) => Promise<Date | null>;
  /** Stores the time since which an endpoint has been failing; null after a success. */
  recordFailing: (endpointId: string, since: Date | null) => Promise<void>;
  /** Disables an endpoint. */
  disable: (endpoint: { id: string; url: string; reason: string }) => Promise<unknown>;
}

/** Tracks whether an endpoint accepts its deliveries. */
export class Health {
  constructor(
    private readonly deps: HealthDeps,
    private readonly endpointId: string,
    private failingSince: Date | null,
  ) {}

  get failing(): boolean {
    return this.failingSince !== null;
  }

  /**
   * Records an attempt, and disables the endpoint if necessary. Returns whether the endpoint was disabled. Idempotent.
   */
  async record({ error, statusCode, at }: Outcome, { url }: Endpoint): Promise<boolean> {
    if (error === null) {
      if (this.failing) await this.deps.recordFailing(this.endpointId, null);
      this.failingSince = null;
      return false;
    }
    const since = this.failingSince ?? at;
    if (!this.failing) await this.deps.recordFailing(this.endpointId, since);
    this.failingSince = since;
    const gone = statusCode === 410;
    if (!gone && at.getTime() - since.getTime() < DISABLE_AFTER_MS) return false;
    if (!gone && (await this.deps.failingSince(this.endpointId)) === null) {
      // The endpoint was resumed, or its URL changed, while its queue was being processed.
      await this.deps.recordFailing(this.endpointId, at);
      this.failingSince = at;
      return false;
    }
    const reason = gone ? 'The receiver responded with 410 Gone.' : 'Every attempt of the last 3 days failed.';
    await this.deps.disable({ id: this.endpointId, url, reason });
    return true;
  }
}
