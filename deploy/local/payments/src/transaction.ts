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

/** Stored records by kind. */
export interface Kinds {
  customer: Customer;
  product: Product;
  price: Price;
  session: Session;
  /** Line items and subscription settings by session id. */
  purchase: Purchase;
  /** Portal sessions by the secret in their URL. */
  portal: PortalVisit;
  subscription: Subscription;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  charge: Charge;
  refund: Refund;
  event: Event;
  /** Pending webhook deliveries by event id. */
  delivery: Delivery;
  /** Stored responses by Idempotency-Key. */
  answer: Answer;
}

/** A pending webhook delivery. */
export interface Delivery {
  /** Number of failed attempts. */
  attempts: number;
  /** Time of the next attempt (Unix ms). */
  nextAt: number;
}

/** A stored response, and a hash of its request. */
export interface Answer {
  fingerprint: string;
  body: object;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EVENT_DAYS = 30;

/**
 * The changes of one request. Reads of the transaction include them, except that `all` omits created records. The
 * changes are written atomically. There must be no await between the first read and the write, so that no two
 * transactions start from the same state.
 */
export class Transaction {
  readonly #staged = new Map<string, unknown>();
  readonly #changes: Change[] = [];
  readonly #events: string[] = [];

  constructor(
    private readonly state: State,
    /** Milliseconds since 1970. */
    readonly nowMs: number,
    /** URL of the sandbox's pages, without a trailing slash. */
    readonly baseUrl: string,
  ) {}

  /** Seconds since 1970. */
  get now(): number {
    return Math.floor(this.nowMs / 1000);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Ids of the emitted events. */
  get events(): readonly string[] {
    return this.#events;
  }

  get<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] | undefined {
    const staged = this.#staged.get(`${kind} ${id}`) as Kinds[Kind] | undefined;
    return staged ?? this.state.get<Kinds[Kind]>(kind, id);
  }

  /** Returns a record. If the record does not exist, throws `resource_missing` naming `param`. */
  find<Kind extends keyof Kinds>(kind: Kind, id: string, param = 'id'): Kinds[Kind] {
    const found = this.get(kind, id);
    if (!found) throw missing(kind === 'session' ? 'checkout.session' : kind, id, param);
    return found;
  }

  /**
   * Returns the stored records of a kind, oldest first, as changed by this transaction, without those that it created.
   */
  all<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] {
    return [...this.state.all<Kinds[Kind]>(kind)].map(([id]) => this.get(kind, id)!);
  }

  /** Stores a record, which expires at `expiresAtMs` (Unix ms) if given. */
  put<Kind extends keyof Kinds>(kind: Kind, id: string, value: Kinds[Kind], expiresAtMs?: number): void {
    this.#staged.set(`${kind} ${id}`, value);
    this.#changes.push(expiresAtMs === undefined ? [kind, id, value] : [kind, id, value, expiresAtMs]);
  }

  /** Emits an event with the current object and the previous values of changed fields. */
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

/** Returns the previous values of changed fields. */
function differenceOf(before: object, after: object): Record<string, unknown> {
  const now = after as Record<string, unknown>;
  const changed = ([key, value]: [string, unknown]): boolean => JSON.stringify(value) !== JSON.stringify(now[key]);
  return Object.fromEntries(Object.entries(before).filter(changed));
}
