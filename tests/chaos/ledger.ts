import { apiClient, walk, type ApiLink } from '../support/client.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

/** Acknowledged writes and redirects, and those with an unknown result because a connection broke. */
export class Ledger {
  /** Numbers of acknowledged links, with the returned id. */
  readonly created = new Map<number, string>();
  /** Times (ms since 1970) of acknowledged redirects, by slug. */
  readonly redirects = new Map<string, number[]>();
  /** Visits that may or may not have been counted, by slug. */
  readonly open = new Map<string, number>();
  #next = 0;
  #closed = false;

  constructor(
    private readonly stack: Stack,
    readonly slugs: string[],
  ) {
    for (const slug of slugs) {
      this.redirects.set(slug, []);
      this.open.set(slug, 0);
    }
  }

  /** Creates links one after the other while `running`. Retries each with one Idempotency-Key until it is acknowledged. */
  async write(running: () => boolean): Promise<void> {
    const api = apiClient(this.stack);
    while (running() && !this.#closed) {
      const n = this.#next++;
      while (!this.#closed) {
        const answer = await api
          .post('/links', { url: `https://example.com/n/${n}`, tags: ['chaos'] }, { 'idempotency-key': `chaos-${n}` })
          .catch(() => undefined);
        if (answer?.status === 201) {
          this.created.set(n, answer.data.id);
          break;
        }
        if (answer && ![409, 500, 502, 503, 504].includes(answer.status)) throw new Error(answer.text);
        if (answer?.status === 500) throw new Error(`an outage caused a 500 response: ${answer.text}`);
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
      const answer = await visit(this.stack.baseUrl, `/${slug}`).catch(() => undefined);
      if (answer?.status === 302) this.redirects.get(slug)!.push(Date.now());
      // An error response means that there was no redirect; a broken connection leaves it unknown.
      else if (!answer || answer.status === 502) this.open.set(slug, this.open.get(slug)! + 1);
      if (!answer) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Acknowledged redirects of a slug within `ms` before any of the given moments. */
  justBefore(slug: string, moments: number[], ms: number): number {
    return this.redirects.get(slug)!.filter((at) => moments.some((moment) => at <= moment && at > moment - ms)).length;
  }

  /** Every link of the workspace as the API lists it. */
  listed(): Promise<ApiLink[]> {
    return walk<ApiLink>(apiClient(this.stack), '/links?limit=200');
  }
}
