import type { Log } from '@tautan/kit';
import type { State } from '@tautan/append-log';
import type { Delivery } from '../transaction.js';
import type { Event } from '../objects/events.js';
import { signatureOf } from './signature.js';

interface Deps {
  state: State;
  url: string;
  secret: string;
  log: Log;
}

const MAX_IN_FLIGHT = 4;
const TIMEOUT_MS = 10_000;
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 60_000;
const GIVE_UP_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts events to the webhook, up to four concurrently and in no particular order. Retries an event with exponential
 * backoff for up to three days, until the webhook responds with 2xx. Pending deliveries survive a restart.
 */
export class Deliverer {
  readonly #waiting = new Map<string, Delivery>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: Deps) {}

  /** Resumes the pending deliveries of an earlier run. */
  start(): void {
    for (const [id, delivery] of this.deps.state.all<Delivery>('delivery')) this.#waiting.set(id, delivery);
    this.#next();
  }

  /** Enqueues events. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.#waiting.set(id, { attempts: 0, nextAt: 0 });
    this.#next();
  }

  /** Aborts deliveries in progress. They are retried after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#inFlight);
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (this.#stopping.signal.aborted) return;
    let soonest = Infinity;
    for (const [id, delivery] of this.#waiting) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
      if (delivery.nextAt > Date.now()) soonest = Math.min(soonest, delivery.nextAt);
      else this.#begin(id, delivery);
    }
    if (soonest < Infinity) this.#timer = setTimeout(() => this.#next(), soonest - Date.now()).unref();
  }

  #begin(id: string, delivery: Delivery): void {
    this.#waiting.delete(id);
    const attempt: Promise<void> = this.#deliver(id, delivery).finally(() => {
      this.#inFlight.delete(attempt);
      this.#next();
    });
    this.#inFlight.add(attempt);
  }

  async #deliver(id: string, { attempts }: Delivery): Promise<void> {
    const { state, log } = this.deps;
    const event = state.get<Event>('event', id);
    const problem = event && (await this.#post(event));
    if (this.#stopping.signal.aborted && problem !== undefined) return;
    const isAbandoned = event && Date.now() - event.created * 1000 > GIVE_UP_MS;
    if (problem === undefined || isAbandoned) {
      await state
        .write(['delivery', id])
        .catch((err: unknown) => log.error({ err }, 'a completed delivery could not be recorded'));
      return;
    }
    const backoffMs = Math.min(MIN_BACKOFF_MS * 2 ** attempts, MAX_BACKOFF_MS);
    const delivery = { attempts: attempts + 1, nextAt: Date.now() + backoffMs };
    log.warn({ event: id, type: event!.type, attempts: delivery.attempts, problem }, 'an event could not be delivered');
    this.#waiting.set(id, delivery);
    await state.write(['delivery', id, delivery]).catch(() => undefined);
  }

  /** Posts an event. Returns the error message if it fails. */
  async #post(event: Event): Promise<string | undefined> {
    const { url, secret } = this.deps;
    const body = JSON.stringify({ ...event, pending_webhooks: 1 });
    const signature = signatureOf(body, secret, Math.floor(Date.now() / 1000));
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
        body,
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      const { message, cause } = error as Error;
      return cause instanceof Error ? cause.message : message;
    }
  }
}
