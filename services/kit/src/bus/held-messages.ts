import type { JsMsg } from '@nats-io/jetstream';
import { messageKey } from './position.js';

/** Acknowledgement timeout, ms: the delay of redelivery after a consumer crash. */
export const ACK_WAIT_MS = 2_000;
const EXTEND_EVERY_MS = 500;
/** How long extensions continue, ms. After that, other consumers can receive a message whose handling hangs. */
const MAX_EXTENDED_MS = 600_000;

interface Held {
  message: JsMsg;
  /** When the message was added, by `performance.now`. */
  since: number;
}

/**
 * The unsettled messages of a consumer. Their acknowledgement deadline is extended twice a second (JetStream's
 * in-progress acknowledgement). Slow handling therefore does not need a long deadline, and the server redelivers the
 * messages of a crashed process after only 2 s.
 */
export class HeldMessages {
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;

  /** `isConnected`: extensions are skipped while disconnected, so that they do not pile up in memory. */
  constructor(private readonly isConnected: () => boolean) {
    this.#timer = setInterval(() => this.#extend(), EXTEND_EVERY_MS).unref();
  }

  /** Adds a message. Returns false if it is already held: the server missed an extension and redelivered it. */
  add(message: JsMsg): boolean {
    const key = messageKey(message);
    if (this.#held.has(key)) return false;
    this.#held.set(key, { message, since: performance.now() });
    return true;
  }

  delete(message: JsMsg): void {
    this.#held.delete(messageKey(message));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #extend(): void {
    if (!this.isConnected()) return;
    const now = performance.now();
    for (const { message, since } of this.#held.values()) {
      const heldMs = now - since;
      if (heldMs >= EXTEND_EVERY_MS && heldMs < MAX_EXTENDED_MS) message.working();
    }
  }
}
