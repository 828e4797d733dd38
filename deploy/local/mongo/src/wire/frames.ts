/** Bytes in front of every message: its length, its id, the id it answers, its kind; 32-bit little endian each. */
export const headerBytes = 16;

/** What `hello` announces, and the largest message that is taken. */
export const maxMessageBytes = 48_000_000;

export const opCode = { reply: 1, query: 2004, compressed: 2012, message: 2013 } as const;

export class BadFrame extends Error {}

/** Cuts the bytes of a socket into whole messages, wherever its chunks begin and end. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #wanted = 0;

  /** Takes a chunk and answers the messages that are whole now. Throws BadFrame on a length that no message has. */
  push(chunk: Buffer): Buffer[] {
    if (this.#bytes === 0 && chunk.length >= 4 && lengthAt(chunk, 0) === chunk.length) return [chunk];
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#wanted) return [];
    return this.#cut();
  }

  #cut(): Buffer[] {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes);
    const messages: Buffer[] = [];
    let at = 0;
    this.#wanted = headerBytes;
    while (bytes.length - at >= 4) {
      const length = lengthAt(bytes, at);
      this.#wanted = length;
      if (bytes.length - at < length) break;
      messages.push(bytes.subarray(at, at + length));
      at += length;
      this.#wanted = headerBytes;
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#bytes = bytes.length - at;
    return messages;
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = bytes.readInt32LE(at);
  if (length < headerBytes || length > maxMessageBytes) throw new BadFrame(`no message has ${length} bytes`);
  return length;
}
