import { Fifo } from './fifo.js';
import type { StoredMessage } from './record.js';

interface Entry {
  message: StoredMessage;
  state: 'waiting' | 'written' | 'failed';
  resolve: () => void;
}

/** Maximum total size of the written messages kept in memory for consumers that are close to the end of the stream. */
const maxRecentBytes = 4 * 1024 * 1024;

/** Messages that are being written, which are acknowledged strictly in order, and the most recently written ones. */
export class InFlight {
  readonly #waiting = new Fifo<Entry>();
  readonly #recent = new Fifo<StoredMessage>();
  /** Pending and recently written messages by sequence. */
  readonly #bySequence = new Map<number, StoredMessage>();
  #recentBytes = 0;

  /** Oldest sequence that is not on disk yet. */
  get oldest(): number | undefined {
    return this.#waiting.first?.message.seq;
  }

  /**
   * Tracks a message until `written` settles. Call it in order of sequence. Resolves when the message is written and
   * all earlier ones are written or have failed. Rejects if the message cannot be written.
   */
  add(message: StoredMessage, written: Promise<void>): Promise<void> {
    this.#bySequence.set(message.seq, message);
    return new Promise((resolve, reject) => {
      const entry: Entry = { message, state: 'waiting', resolve };
      this.#waiting.push(entry);
      written.then(
        () => {
          entry.state = 'written';
          this.#release();
        },
        (error: Error) => {
          entry.state = 'failed';
          this.#release();
          reject(error);
        },
      );
    });
  }

  /** Returns a message that is pending or was recently written. */
  get(seq: number): StoredMessage | undefined {
    return this.#bySequence.get(seq);
  }

  #release(): void {
    for (let first = this.#waiting.first; first && first.state !== 'waiting'; first = this.#waiting.first) {
      this.#waiting.shift();
      if (first.state === 'failed') {
        this.#bySequence.delete(first.message.seq);
      } else {
        this.#remember(first.message);
        first.resolve();
      }
    }
  }

  #remember(message: StoredMessage): void {
    this.#recent.push(message);
    this.#recentBytes += sizeOf(message);
    while (this.#recentBytes > maxRecentBytes) {
      const oldest = this.#recent.shift()!;
      this.#bySequence.delete(oldest.seq);
      this.#recentBytes -= sizeOf(oldest);
    }
  }
}

/**
 * Returns the approximate memory use of a message, including the overhead of the object, so that empty messages are
 * evicted too.
 */
const sizeOf = ({ header, payload }: StoredMessage): number => (header?.length ?? 0) + payload.length + 200;
