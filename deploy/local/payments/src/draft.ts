import type { Change, State } from '@tautan/append-log';
import { missing } from './api/errors.js';
import { newId } from './ids.js';
import type { Charge, InvoicePayment, Refund } from './objects/charges.js';
import type { Customer } from './objects/customers.js';
import { API_VERSION, type Event, type EventType } from './objects/events.js';
import type { Invoice } from './objects/invoices.js';
import type { PortalVisit } from './objects/portal-sessions.js';
import type { Price, Product } from './objects/prices.js';
import type { Purchase, Session } from './objects/sessions.js';
import type { Subscription } from './objects/subscriptions.js';

/** What is kept, by the name of its kind. */
export interface Kinds {
  customer: Customer;
  product: Product;
  price: Price;
  session: Session;
  /** Of a session, under the session's id. */
  purchase: Purchase;
  /** Under the secret in its address. */
  portal: PortalVisit;
  subscription: Subscription;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  charge: Charge;
  refund: Refund;
  event: Event;
  /** Of an event that the webhook did not take yet. */
  delivery: Delivery;
  /** To a request with an Idempotency-Key, under that key. */
  answer: Answer;
}

/** When an event is posted next (ms since 1970), and how often it was in vain. */
export interface Delivery {
  attempts: number;
  nextAt: number;
}

/** What a request was answered with, and what it asked for. */
export interface Answer {
  fingerprint: string;
  body: object;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EVENT_DAYS = 30;

/**
 * What one request changes: read through it, put into it, then written in one piece. Nothing is to be awaited between the
 * first look and the write, so that no two drafts are made from the same state.
 */
export class Draft {
  readonly #staged = new Map<string, unknown>();
  readonly #changes: Change[] = [];
  readonly #events: string[] = [];

  constructor(
    private readonly state: State,
    /** Milliseconds since 1970. */
    readonly nowMs: number,
    /** Where the sandbox's own pages are, without a slash at the end. */
    readonly baseUrl: string,
  ) {}

  /** Seconds since 1970. */
  get now(): number {
    return Math.floor(this.nowMs / 1000);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** The ids of the events that were emitted. */
  get events(): readonly string[] {
    return this.#events;
  }

  get<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] | undefined {
    const staged = this.#staged.get(`${kind} ${id}`) as Kinds[Kind] | undefined;
    return staged ?? this.state.get<Kinds[Kind]>(kind, id);
  }

  /** Throws `resource_missing`, naming the parameter, when there is none. */
  find<Kind extends keyof Kinds>(kind: Kind, id: string, param = 'id'): Kinds[Kind] {
    const found = this.get(kind, id);
    if (!found) throw missing(kind === 'session' ? 'checkout.session' : kind, id, param);
    return found;
  }

  /** All of a kind that were there before, as they are by now, oldest first. */
  all<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] {
    return [...this.state.all<Kinds[Kind]>(kind)].map(([id]) => this.get(kind, id)!);
  }

  put<Kind extends keyof Kinds>(kind: Kind, id: string, value: Kinds[Kind], until?: number): void {
    this.#staged.set(`${kind} ${id}`, value);
    this.#changes.push(until === undefined ? [kind, id, value] : [kind, id, value, until]);
  }

  /** Tells the webhook of an object as it now is; with what it was before, of the fields that changed. */
  emit(type: EventType, object: Event['data']['object'], before?: object): void {
    const id = newId('evt');
    const previous = before && differenceOf(before, object);
    this.put(
      'event',
      id,
      {
        id,
        object: 'event',
        api_version: API_VERSION,
        created: this.now,
        data: { object, ...(previous && { previous_attributes: previous }) },
        livemode: false,
        request: { id: null, idempotency_key: null },
        type,
      },
      this.nowMs + EVENT_DAYS * DAY_MS,
    );
    this.put('delivery', id, { attempts: 0, nextAt: 0 });
    this.#events.push(id);
  }
}

/** The fields of the older object that the newer one has otherwise. */
function differenceOf(before: object, after: object): Record<string, unknown> {
  const now = after as Record<string, unknown>;
  const changed = ([key, value]: [string, unknown]): boolean => JSON.stringify(value) !== JSON.stringify(now[key]);
  return Object.fromEntries(Object.entries(before).filter(changed));
}
