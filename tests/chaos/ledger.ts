import { apiClient, listAll, type ApiLink } from '../support/client.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

/** Acknowledged writes and redirects, and the number of visits with an unknown result. */
export class Ledger {
  /** Ids of acknowledged links, by the number in their destination. */
  readonly created = new Map<number, string>();
  /** Acknowledged redirects by slug: when they were requested and received (ms since 1970). */
  readonly redirects = new Map<string, { sentAt: number; endedAt: number }[]>();
  /** Number of visits that may or may not have been counted, by slug. */
  readonly uncertainVisits = new Map<string, number>();
  #next = 0;
  #closed = false;

  constructor(
    private readonly stack: Stack,
    readonly slugs: string[],
  ) {
    for (const slug of slugs) {
      this.redirects.set(slug, []);
      this.uncertainVisits.set(slug, 0);
    }
  }

  /**
   * Creates links one after the other while `running`. Retries each with one Idempotency-Key until it is acknowledged.
   */
  async write(running: () => boolean): Promise<void> {
    const api = apiClient(this.stack);
    while (running() && !this.#closed) {
      const n = this.#next++;
      while (!this.#closed) {
        const response = await api
          .post('/links', { url: `https://example.com/n/${n}`, tags: ['chaos'] }, { 'idempotency-key': `chaos-${n}` })
          .catch(() => undefined);
        if (response?.status === 201) {
          this.created.set(n, response.data.id);
          break;
        }
        if (response && ![409, 500, 502, 503, 504].includes(response.status)) throw new Error(response.text);
        if (response?.status === 500) throw new Error(`an outage caused a 500 response: ${response.text}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** Stops the retries of unacknowledged writes, so that a failed test ends. */
  close(): void {
    this.#closed = true;
  }

  /** Visits the links in turn while `running`. */
  async visit(running: () => boolean): Promise<void> {
    for (let i = 0; running() && !this.#closed; i += 1) {
      const slug = this.slugs[i % this.slugs.length]!;
      const sentAt = Date.now();
      const response = await visit(this.stack.baseUrl, `/${slug}`).catch(() => undefined);
      if (response?.status === 302) this.redirects.get(slug)!.push({ sentAt, endedAt: Date.now() });
      // A broken connection or a 502 leaves the result unknown. Any other error means that there was no redirect.
      else if (!response || response.status === 502)
        this.uncertainVisits.set(slug, this.uncertainVisits.get(slug)! + 1);
      if (!response) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /**
   * Returns the number of acknowledged redirects of a slug whose response may have been sent within `ms` before any of
   * these times (ms since 1970).
   */
  justBefore(slug: string, times: number[], ms: number): number {
    const isJustBefore = (time: number, { sentAt, endedAt }: { sentAt: number; endedAt: number }): boolean =>
      sentAt <= time && endedAt > time - ms;
    return this.redirects.get(slug)!.filter((redirect) => times.some((time) => isJustBefore(time, redirect))).length;
  }

  /** Returns all links of the workspace from the API. */
  listLinks(): Promise<ApiLink[]> {
    return listAll<ApiLink>(apiClient(this.stack), '/links?limit=200');
  }
}
