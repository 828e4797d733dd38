/** Size of a message header: length, id, id of the request it responds to, opcode; each is 32 bits, little endian. */
export const headerBytes = 16;

/** Maximum message size, which `hello` reports. */
export const maxMessageBytes = 48_000_000;

export class BadFrame extends Error {}

/** Splits the bytes of a socket into messages. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Number of bytes that the next message needs, as far as known. */
  #wanted = 0;

  /** Adds a chunk and returns the messages that are complete. Throws BadFrame for an invalid length. */
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
  if (length < headerBytes || length > maxMessageBytes) throw new BadFrame(`invalid message length ${length}`);
  return length;
}
