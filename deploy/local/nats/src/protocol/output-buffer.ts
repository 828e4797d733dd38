import type { Socket } from 'node:net';

const lineEnd = Buffer.from('\r\n');
/** Pending output up to this size in bytes is joined, so that a burst of small messages is one write. */
const joinUpTo = 64 * 1024;

/** Pending output to a client, written together at the end of the event loop iteration. */
export class OutputBuffer {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #scheduled = false;

  /**
   * When the buffer and the socket together hold more than `maxPending` unsent bytes, the buffer discards its own bytes
   * and calls `onOverflow`.
   */
  constructor(
    private readonly socket: Socket,
    private readonly maxPending: number,
    private readonly onOverflow: () => void,
  ) {}

  /** Queues a line. If there are blocks of bytes, they follow it, with another line end after the last. */
  send(line: string, ...blocks: (Buffer | undefined)[]): void {
    this.#add(Buffer.from(`${line}\r\n`));
    if (blocks.length > 0) {
      for (const block of blocks) if (block && block.length > 0) this.#add(block);
      this.#add(lineEnd);
    }
    if (this.#bytes + this.socket.writableLength > this.maxPending) {
      this.#pieces = [];
      this.#bytes = 0;
      this.onOverflow();
    } else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.flush());
    }
  }

  /** Writes all pending output. */
  flush(): void {
    this.#scheduled = false;
    const pieces = this.#pieces;
    if (pieces.length === 0 || this.socket.destroyed) return;
    const joined = this.#bytes <= joinUpTo ? [Buffer.concat(pieces, this.#bytes)] : pieces;
    this.#pieces = [];
    this.#bytes = 0;
    this.socket.cork();
    for (const piece of joined) this.socket.write(piece);
    this.socket.uncork();
  }

  #add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }
}
