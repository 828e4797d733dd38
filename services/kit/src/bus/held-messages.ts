import type { JsMsg } from '@nats-io/jetstream';
import { messageKey } from './position.js';

/** Time until the server redelivers a message that nobody has extended: what the death of a consumer costs, ms. */
export const ACK_WAIT_MS = 2_000;
const EXTEND_EVERY_MS = 500;
/** Maximum time for which a message is extended, ms. Work that never ends must not keep it from another consumer. */
const MAX_EXTENDED_MS = 600_000;

interface Held {
  message: JsMsg;
  /** performance.now */
  since: number;
}

/**
 * The messages that a consumer has received and not settled, waiting or being handled. They are extended twice a second
 * (JetStream's in-progress acknowledgement), so that the server may redeliver those of a dead process after 2 s.
 */
export class HeldMessages {
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;

  /** `isConnected`: without a connection, extensions would pile up in memory. */
  constructor(private readonly isConnected: () => boolean) {
    this.#timer = setInterval(() => this.#extend(), EXTEND_EVERY_MS).unref();
  }

  /** Holds a message. Returns false for one that is held already: the server redelivered it because it missed an extension. */
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
