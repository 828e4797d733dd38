import { createInbox, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
  /** When the acknowledgement is overdue, by `performance.now`. */
  until: number;
}

/** Interval between checks for timeouts, milliseconds. */
const CHECK_MS = 100;

/**
 * Publishes to streams over one connection and awaits JetStream's acknowledgements (PubAck) on a single subscription.
 * The client library instead creates two errors with stack traces and a timer per message, which would be most of the
 * cost of publishing.
 */
export class Acknowledgements {
  readonly #inbox = createInbox();
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #lastToken = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly timeoutMs: number,
  ) {
    connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => (error ? undefined : this.#receive(message)),
    });
  }

  /**
   * Resolves when the server has stored the message. Rejects on a refusal, on a timeout, or if there is no responder.
   */
  publish(subject: string, payload: Uint8Array | string, headers: MsgHdrs): Promise<void> {
    const token = (this.#lastToken += 1).toString(36);
    return new Promise((resolve, reject) => {
      this.connection.publish(subject, payload, { headers, reply: `${this.#inbox}.${token}` });
      this.#waiting.set(token, { resolve, reject, until: performance.now() + this.timeoutMs });
      this.#timer ??= this.#checkLater();
    });
  }

  #receive(message: Msg): void {
    const token = message.subject.slice(this.#inbox.length + 1);
    const waiting = this.#waiting.get(token);
    if (!waiting) return;
    this.#waiting.delete(token);
    const refusal = refusalOf(message);
    if (refusal === undefined) waiting.resolve();
    else waiting.reject(new Error(`not stored: ${refusal}`));
  }

  #checkTimeouts(): void {
    const now = performance.now();
    for (const [token, { until, reject }] of this.#waiting) {
      // Messages are in publishing order and have the same timeout, so the following messages are not overdue either.
      if (until > now) break;
      this.#waiting.delete(token);
      reject(new Error(`no acknowledgement within ${this.timeoutMs} ms`));
    }
    this.#timer = this.#waiting.size > 0 ? this.#checkLater() : undefined;
  }

  #checkLater(): NodeJS.Timeout {
    return setTimeout(() => this.#checkTimeouts(), CHECK_MS).unref();
  }
}

/** Returns why the server did not store a message; undefined if it did. */
function refusalOf(message: Msg): string | undefined {
  if (message.headers?.hasError) return `${message.headers.code} ${message.headers.description || 'no responders'}`;
  try {
    const response = message.json<{ stream?: string; error?: { description?: string } }>();
    if (response.error) return response.error.description ?? 'an error';
    return response.stream === undefined ? 'a response without a stream' : undefined;
  } catch {
    return 'an invalid response';
  }
}
