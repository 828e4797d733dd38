import type { StoredMessage } from './record.js';

interface Entry {
  message: StoredMessage;
  written: boolean;
  resolve: () => void;
}

/** Bytes of written messages kept at hand for consumers that are close behind. */
const recentBytes = 4 * 1024 * 1024;

/** Messages on their way to disk, acknowledged strictly in order, and the last few that have arrived there. */
export class InFlight {
  readonly #waiting = new Map<number, Entry>();
  readonly #recent = new Map<number, StoredMessage>();
  #recentBytes = 0;

  /** The oldest sequence that is not on disk yet. */
  get oldest(): number | undefined {
    for (const seq of this.#waiting.keys()) return seq;
    return undefined;
  }

  /**
   * Tracks a message, in order of sequence. Resolves when it is written and all before it are, or have failed; rejects
   * when it cannot be written.
   */
  add(message: StoredMessage, written: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { message, written: false, resolve };
      this.#waiting.set(message.seq, entry);
      written.then(
        () => {
          entry.written = true;
          this.#release();
        },
        (error: Error) => {
          this.#waiting.delete(message.seq);
          this.#release();
          reject(error);
        },
      );
    });
  }

  recent(seq: number): StoredMessage | undefined {
    return this.#waiting.get(seq)?.message ?? this.#recent.get(seq);
  }

  #release(): void {
    for (const [seq, { message, written, resolve }] of this.#waiting) {
      if (!written) return;
      this.#waiting.delete(seq);
      this.#remember(message);
      resolve();
    }
  }

  #remember(message: StoredMessage): void {
    this.#recent.set(message.seq, message);
    this.#recentBytes += sizeOf(message);
    for (const [seq, oldest] of this.#recent) {
      if (this.#recentBytes <= recentBytes) return;
      this.#recent.delete(seq);
      this.#recentBytes -= sizeOf(oldest);
    }
  }
}

const sizeOf = ({ header, payload }: StoredMessage): number => (header?.length ?? 0) + payload.length;
