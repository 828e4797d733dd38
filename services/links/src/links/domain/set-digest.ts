import { hash } from 'node:crypto';

/**
 * A digest of a set of ids that does not depend on their order. It takes the first four 32-bit words of each id's hash,
 * and sums the words at each of the four positions over all ids.
 */
export class SetDigest {
  readonly #sums = new Uint32Array(4);
  #count = 0;

  add(ids: string[]): void {
    this.#count += ids.length;
    for (const id of ids) {
      const bytes = hash('sha1', id, 'buffer');
      for (let i = 0; i < 4; i += 1) this.#sums[i]! += bytes.readUInt32LE(4 * i);
    }
  }

  get count(): number {
    return this.#count;
  }

  /** The number of ids and the sums, in hexadecimal. */
  get digest(): string {
    return [this.#count, ...this.#sums].map((part) => part.toString(16)).join('-');
  }
}
