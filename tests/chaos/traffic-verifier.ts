import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { MongoClient } from 'mongodb';
import { apiClient, listAll, type ApiLink, type Client } from '../support/client.js';
import { accepted } from '../support/people.js';
import type { ReceivedEvent, Receiver } from '../support/receiver.js';
import type { Stack } from '../support/stack.js';
import type { Cell } from './cells.js';
import type { FaultTimes } from './faulty-stack.js';
import type { Traffic, Visit } from './traffic.js';

const COUNTED_WITHIN_MS = 5_000;
const READABLE_WITHIN_MS = 10_000;
const DELIVERED_WITHIN_MS = 10_000;
/**
 * A redirect process that is killed may lose the clicks of visits that ended at most this long before the kill: 50 ms
 * until a flush, and 25 ms for the latency of a response. On a busy machine, a flush can be delayed as much as the
 * timer that sends visits. The longest delay of that timer is added, but at most `MAX_DELAY_MS`.
 */
const LOSABLE_MS = 50 + 25;
const MAX_DELAY_MS = 100;
const POLL_MS = 200;
/** Extra time to wait for late data before it is considered lost. */
const LOST_AFTER_MS = 30_000;

/** The results of a cell's traffic after everything was counted and delivered. */
export interface TrafficResults {
  traffic: Traffic;
  /** Clicks counted, by link. */
  clicks: Map<string, number>;
  failedRedirects: number;
  slowestRedirectMs: number;
  lostClicks: number;
  /** Milliseconds from the end of the fault until everything was counted. */
  countedAfterMs: number;
  /** Milliseconds from the end of the fault until everything was delivered. */
  deliveredAfterMs: number;
}

export interface VerifierOptions {
  /** Whether the receiver subscribes to clicks; true by default. */
  receivesClicks?: boolean;
  /** Extra time allowed for everything, milliseconds (default 0). If set, visits may also fail. */
  graceMs?: number;
}

/** Verifies that the product returns and delivers everything that it acknowledged during a cell. */
export class TrafficVerifier {
  readonly #api: Client;

  constructor(
    private readonly stack: Stack,
    private readonly receiver: Receiver,
    private readonly options: VerifierOptions = {},
  ) {
    this.#api = apiClient(stack);
  }

  /** Stops the traffic of a cell. Throws unless everything acknowledged is present exactly once and in time. */
  async verify({ process, fault }: Cell, traffic: Traffic, { kills, endedAt }: FaultTimes): Promise<TrafficResults> {
    const { graceMs = 0 } = this.options;
    const stalledBefore = cpuStallMs();
    traffic.stop(graceMs);
    await traffic.visitsEnd();
    const failed = traffic.visits.filter(({ status }) => status !== 302);
    const visitsMayFail = process === 'supervisor' || (process === 'redirect' && fault === 'killed');
    if (!visitsMayFail && graceMs === 0)
      expect({ failed: failed.length, first: failed.slice(0, 5) }).toEqual({ failed: 0, first: [] });

    const counting = this.#counted(traffic, { kills: process === 'redirect' ? kills : [], endedAt }, stalledBefore);
    await Promise.all([counting, traffic.writesEnd()]);
    const { clicks, afterMs: countedAfterMs } = await counting;
    const writes = [...traffic.created, ...traffic.edits].map(({ acknowledgedAt }) => acknowledgedAt);
    const limit = { since: Math.max(endedAt, ...writes), stalledBefore };
    await passesWithin('readable', { ...limit, withinMs: READABLE_WITHIN_MS + graceMs }, () =>
      expectReadable(this.#api, traffic, clicks),
    );
    await passesWithin('delivered', { ...limit, withinMs: DELIVERED_WITHIN_MS + graceMs }, () =>
      this.#expectDelivered(traffic, clicks),
    );
    const deliveredAfterMs = Date.now() - endedAt;
    const results: TrafficResults = {
      traffic,
      clicks,
      failedRedirects: failed.length,
      slowestRedirectMs: Math.max(...traffic.visits.map(({ sentAt, endedAt: at }) => at - sentAt)),
      lostClicks: sum(traffic.hot.map(({ id }) => Math.max(0, traffic.redirects(id).length - clicks.get(id)!))),
      countedAfterMs,
      deliveredAfterMs,
    };
    this.#expectNothingTwice(results);
    return results;
  }

  /** Throws if anything was lost, or counted or delivered again, since `verify`. */
  async verifyAgain(results: TrafficResults): Promise<void> {
    await expectReadable(this.#api, results.traffic, results.clicks);
    this.#expectDelivered(results.traffic, results.clicks);
    this.#expectNothingTwice(results);
  }

  /**
   * Waits until every acknowledged redirect is counted, except those that a kill may have lost. Returns the clicks of
   * each link from the database, because the API may take longer to recover.
   */
  async #counted(
    traffic: Traffic,
    { kills, endedAt }: FaultTimes,
    stalledBefore: number,
  ): Promise<{ clicks: Map<string, number>; afterMs: number }> {
    const ids = traffic.hot.map(({ id }) => id);
    const database = new MongoClient((await this.stack.quickstart()).mongodb.uri);
    const links = database
      .db(`${this.stack.databasePrefix}tautan_links`)
      .collection<{ _id: string; clickCount: number }>('links');
    const mayBeLost = (visit: Visit): boolean =>
      kills.some((at) => isLosable(visit, at, LOSABLE_MS + Math.min(traffic.longestDelayMs, MAX_DELAY_MS)));
    const expectCounted = async (losable: (visit: Visit) => boolean): Promise<Map<string, number>> => {
      const found = await links.find({ _id: { $in: ids } }).toArray();
      const clicks = new Map(found.map(({ _id, clickCount }) => [_id, clickCount]));
      for (const id of ids) {
        const due = traffic.redirects(id).filter((visit) => !losable(visit));
        expect(clicks.get(id)).toBeGreaterThanOrEqual(due.length);
      }
      return clicks;
    };
    try {
      const lastRedirect = Math.max(
        endedAt,
        ...ids.flatMap((id) => traffic.redirects(id)).map((visit) => visit.endedAt),
      );
      const limit = { since: lastRedirect, withinMs: COUNTED_WITHIN_MS + (this.options.graceMs ?? 0), stalledBefore };
      await passesWithin('counted', limit, () => expectCounted(mayBeLost));
      const afterMs = Date.now() - endedAt;
      // Clicks that may have been lost in a kill can also still be in flight.
      const remainingMs = lastRedirect + COUNTED_WITHIN_MS - Date.now();
      const clicks = await eventually(() => expectCounted(() => false), remainingMs, POLL_MS).catch(() =>
        expectCounted(mayBeLost),
      );
      return { clicks, afterMs };
    } finally {
      await database.close();
    }
  }

  /** Throws unless exactly one event has arrived for each creation, edit and click; a redelivered event counts once. */
  #expectDelivered({ created, edits, edited }: Traffic, clicks: Map<string, number>): void {
    const events = new Map(this.receiver.received.map(({ event }) => [event.id, event]));
    const byTypeAndLink = new Map<string, ReceivedEvent[]>();
    for (const event of events.values()) {
      const typeAndLink = `${event.type} ${String(event.data['linkId'] ?? event.data['id'])}`;
      if (!byTypeAndLink.get(typeAndLink)?.push(event)) byTypeAndLink.set(typeAndLink, [event]);
    }
    const eventsOf = (type: string, id: string): ReceivedEvent[] => byTypeAndLink.get(`${type} ${id}`) ?? [];
    for (const { id } of created) expect(eventsOf('link.created', id)).toHaveLength(1);
    const titles = eventsOf('link.updated', edited.id).map(({ changes }) => changes!['title']!);
    const byNumber = titles.sort((a, b) => Number(a.after) - Number(b.after));
    expect(byNumber).toEqual(edits.map(({ n }) => ({ before: n === 1 ? null : `${n - 1}`, after: `${n}` })));
    if (this.options.receivesClicks === false) return;
    for (const [id, count] of clicks) expect(eventsOf('link.clicked', id)).toHaveLength(count);
  }

  /** Throws if more clicks are counted than there were redirects and visits with an unknown result. */
  #expectNothingTwice({ traffic, clicks }: TrafficResults): void {
    const { graceMs = 0 } = this.options;
    for (const [id, count] of clicks) {
      const uncertain = traffic.visits.filter(
        ({ link, status }) =>
          link === id && (status === undefined || status === 502 || (status === 503 && graceMs > 0)),
      );
      expect(count).toBeLessThanOrEqual(traffic.redirects(id).length + uncertain.length);
    }
  }
}

/**
 * Throws unless the API returns every acknowledged write once with its acknowledged value, and all clicks as counted.
 */
export async function expectReadable(
  api: Client,
  { name, created, edits, edited }: Traffic,
  clicks: Map<string, number>,
): Promise<void> {
  const listed = await listAll<ApiLink>(api, `/links?limit=200&tag=${encodeURIComponent(name)}`);
  const byNumber = (links: { n: number; id: string }[]) => links.map(({ n, id }) => `${n} ${id}`).sort();
  const returned = listed.map(({ url, id }) => ({ n: Number(url.split('/').at(-1)), id }));
  expect(byNumber(returned)).toEqual(byNumber(created));
  expect(accepted(await api.get<ApiLink>(`/links/${edited.id}`)).title).toBe(`${edits.length}`);
  for (const [id, count] of clicks) {
    const { totals } = accepted(await api.get<{ totals: { clicks: number } }>(`/links/${id}/stats`));
    const { clickCount } = accepted(await api.get<ApiLink>(`/links/${id}`));
    expect([clickCount, totals.clicks]).toEqual([count, count]);
  }
}

/** Returns whether the redirect process may have been killed before it flushed the click of a visit. */
const isLosable = ({ sentAt, endedAt }: Visit, killedAt: number, losableMs: number): boolean =>
  sentAt <= killedAt && endedAt > killedAt - losableMs;

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

/**
 * Returns the total time since the machine started for which some task was ready to run but had no processor,
 * milliseconds (https://docs.kernel.org/accounting/psi.html). Returns 0 if the kernel does not measure it.
 */
function cpuStallMs(): number {
  try {
    const [, microseconds] = /^some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))!;
    return Number(microseconds) / 1_000;
  } catch {
    return 0;
  }
}

interface Limit {
  /** The earliest time at which the check could pass, milliseconds since the epoch. */
  since: number;
  /** Time allowed from then on, milliseconds. */
  withinMs: number;
  /** Result of `cpuStallMs` when the fault ended. */
  stalledBefore: number;
}

/**
 * Waits until a check passes. Waits for longer than allowed, so that the error distinguishes late data from lost data.
 * The allowed time is extended by the time that tasks waited for a processor, because other suites run concurrently.
 */
async function passesWithin<T>(
  state: string,
  { since, withinMs, stalledBefore }: Limit,
  check: () => Promise<T> | T,
): Promise<T> {
  const result = await eventually(check, since + withinMs + LOST_AFTER_MS - Date.now(), POLL_MS);
  const tookMs = Date.now() - since;
  if (tookMs > withinMs + POLL_MS + cpuStallMs() - stalledBefore)
    throw new Error(`Everything was ${state}, but after ${tookMs} ms instead of ${withinMs} ms.`);
  return result;
}
