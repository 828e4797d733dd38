const INITIAL_BYTES = 4_096;
/** Maximum size of a row: eleven cells of up to seventeen characters, and separators. */
const MAX_ROW_BYTES = 256;
/** Maximum size of a UTF-16 code unit: six bytes if escaped, as in `\u0000`. Otherwise, it has up to three bytes. */
const MAX_CHARACTER_BYTES = 6;

const [zero, minus, comma, quote, backslash, open, close, blank, tilde] = Array.from('0-,"\\[] ~', (character) =>
  character.charCodeAt(0),
) as [number, number, number, number, number, number, number, number, number];

/**
 * Writes elements of a JSON array directly into a buffer: either strings, or rows of integers and letters. Building
 * values for JSON.stringify would be most of the cost of recording a click.
 */
export class JsonBytes {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = 0;
  #first = true;
  /** Number of rows so far. */
  rows = 0;

  /** Number of bytes so far. */
  get bytes(): number {
    return this.#at;
  }

  beginRow(): void {
    this.#reserve(MAX_ROW_BYTES);
    if (this.rows > 0) this.#buffer[this.#at++] = comma;
    this.#buffer[this.#at++] = open;
    this.#first = true;
  }

  /** Writes a safe integer to the row. */
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

  /** Writes one ASCII letter, as a string, to the row. */
  letter(letter: string): void {
    this.#separate();
    this.#buffer[this.#at++] = quote;
    this.#buffer[this.#at++] = letter.charCodeAt(0);
    this.#buffer[this.#at++] = quote;
  }

  endRow(): void {
    this.#buffer[this.#at++] = close;
    this.rows += 1;
  }

  /** Writes any string, outside of rows. */
  text(text: string): void {
    this.#reserve(MAX_CHARACTER_BYTES * text.length + 3);
    this.#separate();
    const start = this.#at;
    const buffer = this.#buffer;
    let at = start;
    buffer[at++] = quote;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < blank || code > tilde || code === quote || code === backslash) {
        this.#at = start + buffer.write(JSON.stringify(text), start);
        return;
      }
      buffer[at++] = code;
    }
    buffer[at++] = quote;
    this.#at = at;
  }

  /** Copies the bytes to `target` at `offset`, clears the buffer and returns the end offset. */
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
