import { Fifo } from './fifo.js';
import type { StoredMessage } from './record.js';

interface Entry {
  message: StoredMessage;
  state: 'waiting' | 'written' | 'failed';
  resolve: () => void;
}

/** Bytes of written messages kept at hand for consumers that are close behind. */
const recentBytes = 4 * 1024 * 1024;

/** Messages on their way to disk, acknowledged strictly in order, and the last few that have arrived there. */
export class InFlight {
  readonly #waiting = new Fifo<Entry>();
  readonly #recent = new Fifo<StoredMessage>();
  /** All of both, by sequence. */
  readonly #atHand = new Map<number, StoredMessage>();
  #recentBytes = 0;

  /** The oldest sequence that is not on disk yet. */
  get oldest(): number | undefined {
    return this.#waiting.first?.message.seq;
  }

  /**
   * Tracks a message, in order of sequence. Resolves when it is written and all before it are, or have failed; rejects
   * when it cannot be written.
   */
  add(message: StoredMessage, written: Promise<void>): Promise<void> {
    this.#atHand.set(message.seq, message);
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

  recent(seq: number): StoredMessage | undefined {
    return this.#atHand.get(seq);
  }

  #release(): void {
    for (let first = this.#waiting.first; first && first.state !== 'waiting'; first = this.#waiting.first) {
      this.#waiting.shift();
      if (first.state === 'failed') {
        this.#atHand.delete(first.message.seq);
      } else {
        this.#remember(first.message);
        first.resolve();
      }
    }
  }

  #remember(message: StoredMessage): void {
    this.#recent.push(message);
    this.#recentBytes += sizeOf(message);
    while (this.#recentBytes > recentBytes) {
      const oldest = this.#recent.shift()!;
      this.#atHand.delete(oldest.seq);
      this.#recentBytes -= sizeOf(oldest);
    }
  }
}

/** The object around the bytes counts too, or empty messages would be kept for ever. */
const sizeOf = ({ header, payload }: StoredMessage): number => (header?.length ?? 0) + payload.length + 200;
