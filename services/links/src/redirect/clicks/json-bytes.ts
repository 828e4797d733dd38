const FIRST_BYTES = 4_096;
/** Room that one row takes at most: eleven cells of up to sixteen characters and what is between them. */
const MOST_ROW_BYTES = 256;
/** The most that a character of a text takes: `\u0000`, or three bytes of UTF-8. */
const MOST_CHARACTER_BYTES = 6;

const [zero, minus, comma, quote, backslash, open, close, blank, tilde] = Array.from('0-,"\\[] ~', (character) => character.charCodeAt(0)) as [number, number, number, number, number, number, number, number, number]; // prettier-ignore

/**
 * Elements of a JSON array (texts, integers, letters, rows of them), written straight into bytes: building the values
 * and having them stringified would be most of what recording a click costs.
 */
export class JsonBytes {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;
  #first = true;
  /** Rows so far. */
  rows = 0;

  /** Bytes so far. */
  get bytes(): number {
    return this.#at;
  }

  begin(): void {
    this.#reserve(MOST_ROW_BYTES);
    if (this.rows > 0) this.#buffer[this.#at++] = comma;
    this.#buffer[this.#at++] = open;
    this.#first = true;
  }

  /** A safe integer, in a row. */
  number(value: number): void {
    this.#separate();
    if (value >= 0 && value < 10) this.#buffer[this.#at++] = zero + value;
    else if (value >= 0 && value < 100) {
      const tens = (value / 10) | 0;
      this.#buffer[this.#at++] = zero + tens;
      this.#buffer[this.#at++] = zero + value - tens * 10;
    } else if (value === -1) {
      this.#buffer[this.#at++] = minus;
      this.#buffer[this.#at++] = zero + 1;
    } else this.#at += this.#buffer.write(String(value), this.#at, 'latin1');
  }

  /** One ASCII letter, as a string, in a row. */
  letter(letter: string): void {
    this.#separate();
    this.#buffer[this.#at++] = quote;
    this.#buffer[this.#at++] = letter.charCodeAt(0);
    this.#buffer[this.#at++] = quote;
  }

  end(): void {
    this.#buffer[this.#at++] = close;
    this.rows += 1;
  }

  /** Any string. */
  text(text: string): void {
    this.#reserve(MOST_CHARACTER_BYTES * text.length + 3);
    this.#separate();
    const began = this.#at;
    const buffer = this.#buffer;
    let at = began;
    buffer[at++] = quote;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < blank || code > tilde || code === quote || code === backslash) {
        this.#at = began + buffer.write(JSON.stringify(text), began);
        return;
      }
      buffer[at++] = code;
    }
    buffer[at++] = quote;
    this.#at = at;
  }

  /** Copies what was written to `target` from `offset` on; answers the offset behind it. What follows starts anew, in the same memory. */
  moveTo(target: Buffer, offset: number): number {
    const end = offset + this.#buffer.copy(target, offset, 0, this.#at);
    this.#at = 0;
    this.#first = true;
    this.rows = 0;
    return end;
  }

  #separate(): void {
    if (this.#first) this.#first = false;
    else this.#buffer[this.#at++] = comma;
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
