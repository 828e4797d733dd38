import type { Log } from '@tautan/kit';
import type { State } from '@tautan/append-log';
import type { Delivery } from '../draft.js';
import type { Event } from '../objects/events.js';
import { signatureOf } from './signature.js';

interface Deps {
  state: State;
  url: string;
  secret: string;
  log: Log;
}

const IN_FLIGHT = 4;
const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;
const GIVE_UP_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts events to the webhook until it takes them (2xx), at most four at a time and in no order, with growing pauses, for
 * three days. What it did not take yet outlives a restart.
 */
export class Deliverer {
  readonly #waiting = new Map<string, Delivery>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: Deps) {}

  /** Takes up what an earlier run left. */
  start(): void {
    for (const [id, delivery] of this.deps.state.all<Delivery>('delivery')) this.#waiting.set(id, delivery);
    this.#next();
  }

  /** Posts these soon. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.#waiting.set(id, { attempts: 0, nextAt: 0 });
    this.#next();
  }

  /** Breaks off what is under way; it is posted again after the next start. */
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
      if (this.#inFlight.size >= IN_FLIGHT) return;
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
    const isLate = event && Date.now() - event.created * 1000 > GIVE_UP_MS;
    if (problem === undefined || isLate) {
      await state.write(['delivery', id]).catch((err: unknown) => log.error({ err }, 'a delivery was not noted'));
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS);
    const delivery = { attempts: attempts + 1, nextAt: Date.now() + pause };
    log.warn(
      { event: id, type: event!.type, attempts: delivery.attempts, problem },
      'the webhook did not take an event',
    );
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
      return response.ok ? undefined : `answered ${response.status}`;
    } catch (error) {
      const { message, cause } = error as Error;
      return cause instanceof Error ? cause.message : message;
    }
  }
}
