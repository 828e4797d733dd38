import { aLink, apiClient, type ApiLink, type ApiResponse, type Client } from '../support/client.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

const VISIT_TICK_MS = 25;
/** Maximum number of concurrent visits. A machine that is too slow for the rate sends fewer visits. */
const MAX_CONCURRENT_VISITS = 200;
const HOT_LINKS = 2;
const WRITE_PAUSE_MS = 100;
const RETRY_PAUSE_MS = 100;
/** After the end of a fault, every write is acknowledged within this time. */
const ACKNOWLEDGED_WITHIN_MS = 10_000;
/**
 * Statuses after which a write is retried: 0 (no response), 502 to 504 (an outage) and 409 (an earlier attempt is still
 * running).
 */
const UNACKNOWLEDGED = [0, 502, 503, 504, 409];

/** Rates of the traffic. */
export interface Rates {
  /** Independent of the duration of each visit. */
  visitsPerSecond: number;
  /** Total rate of several clients. If unset, one client creates one link after the other. */
  createsPerSecond?: number;
}

const DEFAULT_RATES: Rates = { visitsPerSecond: 40 };
const PACED_CLIENTS = 8;

/** A visit to a link. `status` is undefined if the connection broke. */
export interface Visit {
  link: string;
  sentAt: number;
  endedAt: number;
  status: number | undefined;
}

/** A change that the API acknowledged. */
export interface Write {
  /** The written value: the last part of the destination of a created link, or the new title of the edited link. */
  n: number;
  id: string;
  acknowledgedAt: number;
}

/** An attempt at a write that the API did not acknowledge. `status` is 0 if the connection broke. */
export interface Failure {
  at: number;
  status: number;
  text: string;
}

/** Writes of one kind, numbered from 1. */
interface Series {
  /** Receives the acknowledged writes. */
  into: Write[];
  write(n: number, key: string): Promise<ApiResponse<ApiLink>>;
  /** The number of the last started write. */
  last: number;
}

/** Visitors and API clients, with a record of acknowledged requests. */
export class Traffic {
  readonly visits: Visit[] = [];
  readonly created: Write[] = [];
  readonly edits: Write[] = [];
  readonly failures: Failure[] = [];
  /** Longest delay of the timer that sends visits, milliseconds: a measure of how busy the machine is. */
  longestDelayMs = 0;
  readonly #api: Client;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #writers: Promise<void>[];
  readonly #ticks: NodeJS.Timeout;
  #running = true;
  #until = Infinity;

  private constructor(
    private readonly currentStack: () => Stack,
    /** Name of this traffic in tags and idempotency keys. */
    readonly name: string,
    /** The links that visitors open. */
    readonly hot: ApiLink[],
    /** The link that one client edits. */
    readonly edited: ApiLink,
    { visitsPerSecond, createsPerSecond }: Rates,
  ) {
    this.#api = apiClient(currentStack());
    const startedAt = performance.now();
    const creation = { into: this.created, write: (n: number, key: string) => this.#create(n, key), last: 0 };
    const edit = { into: this.edits, write: (n: number, key: string) => this.#edit(n, key), last: 0 };
    const untilDue = (n: number): number => startedAt + (n * 1_000) / createsPerSecond! - performance.now();
    const creators =
      createsPerSecond === undefined
        ? [this.#write(creation)]
        : Array.from({ length: PACED_CLIENTS }, () => this.#write(creation, untilDue));
    this.#writers = [...creators, this.#write(edit)];
    let lastTick = startedAt;
    let due = 0;
    this.#ticks = setInterval(() => {
      const now = performance.now();
      due = Math.min(due + ((now - lastTick) * visitsPerSecond) / 1_000, MAX_CONCURRENT_VISITS - this.#inFlight.size);
      this.longestDelayMs = Math.max(this.longestDelayMs, now - lastTick - VISIT_TICK_MS);
      lastTick = now;
      for (; due >= 1; due -= 1) this.#visit(hot[this.visits.length % hot.length]!);
    }, VISIT_TICK_MS);
  }

  /** Creates the required links and starts. */
  static async begin(currentStack: () => Stack, name: string, rates = DEFAULT_RATES): Promise<Traffic> {
    const api = apiClient(currentStack());
    const links = await Promise.all(Array.from({ length: HOT_LINKS + 1 }, () => aLink(api)));
    return new Traffic(currentStack, name, links.slice(1), links[0]!, rates);
  }

  /** Stops sending visits and new writes. `graceMs` extends the time for acknowledgements. */
  stop(graceMs = 0): void {
    clearInterval(this.#ticks);
    this.#running = false;
    this.#until = Math.min(this.#until, Date.now() + ACKNOWLEDGED_WITHIN_MS + graceMs);
  }

  /** Resolves when every visit has ended. */
  async visitsEnd(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** Resolves when every write is acknowledged. Rejects if a write is not acknowledged in time. */
  async writesEnd(): Promise<void> {
    await Promise.all(this.#writers);
  }

  /** Returns the visits to a link that were redirected. */
  redirects(link: string): Visit[] {
    return this.visits.filter((each) => each.link === link && each.status === 302);
  }

  #visit({ id, slug }: ApiLink): void {
    const record: Visit = { link: id, sentAt: Date.now(), endedAt: Infinity, status: undefined };
    this.visits.push(record);
    const done = visit(this.currentStack().baseUrl, `/${slug}`)
      .then(({ status }) => void (record.status = status))
      .catch(() => undefined)
      .finally(() => {
        record.endedAt = Date.now();
        this.#inFlight.delete(done);
      });
    this.#inFlight.add(done);
  }

  /**
   * Sends one write after the other, each retried with its key until it is acknowledged. Several clients can share one
   * series.
   */
  async #write(series: Series, pauseBefore = (n: number): number => (n === 1 ? 0 : WRITE_PAUSE_MS)): Promise<void> {
    while (this.#running) {
      const n = (series.last += 1);
      await pause(Math.max(0, pauseBefore(n)));
      if (!this.#running) return;
      const { id } = await this.#acknowledged((key) => series.write(n, key), n);
      series.into.push({ n, id, acknowledgedAt: Date.now() });
    }
  }

  async #acknowledged(write: (key: string) => Promise<ApiResponse<ApiLink>>, n: number): Promise<ApiLink> {
    for (;;) {
      const answer = await write(`${this.name} ${n}`).catch((error: Error) => ({
        status: 0,
        text: error.message,
        data: undefined,
      }));
      if (answer.status >= 200 && answer.status < 300) return answer.data!;
      const { status, text } = answer;
      this.failures.push({ at: Date.now(), status, text });
      const response = `${status} ${text}`;
      if (!UNACKNOWLEDGED.includes(status))
        throw new Error(`A write got a response that no outage explains: ${response}`);
      if (Date.now() > this.#until)
        throw new Error(
          `A write was not acknowledged within ${ACKNOWLEDGED_WITHIN_MS} ms (plus the grace period) after the end of the fault: ${response}`,
        );
      await pause(RETRY_PAUSE_MS);
    }
  }

  #create(n: number, key: string): Promise<ApiResponse<ApiLink>> {
    return this.#api.post(
      '/links',
      { url: `https://example.com/${n}`, tags: [this.name] },
      { 'idempotency-key': `create ${key}` },
    );
  }

  #edit(n: number, key: string): Promise<ApiResponse<ApiLink>> {
    return this.#api.patch(`/links/${this.edited.id}`, { title: `${n}` }, { 'idempotency-key': `edit ${key}` });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
