const FIRST_BYTES = 4_096;
/** Room that one row takes at most: eleven cells of up to sixteen characters and what is between them. */
const MOST_ROW_BYTES = 256;

const [zero, minus, comma, quote, open, close] = Array.from('0-,"[]', (character) => character.charCodeAt(0)) as [number, number, number, number, number, number]; // prettier-ignore

/**
 * Rows of integers and single letters, written as JSON straight into bytes: building the arrays and having them
 * stringified would be most of what recording a click costs.
 */
export class JsonRows {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;
  #first = true;
  count = 0;

  /** Bytes so far. */
  get bytes(): number {
    return this.#at;
  }

  begin(): void {
    if (this.#buffer.length - this.#at < MOST_ROW_BYTES) this.#grow();
    if (this.count > 0) this.#buffer[this.#at++] = comma;
    this.#buffer[this.#at++] = open;
    this.#first = true;
  }

  /** A safe integer. */
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

  /** One ASCII letter, as a string. */
  letter(letter: string): void {
    this.#separate();
    this.#buffer[this.#at++] = quote;
    this.#buffer[this.#at++] = letter.charCodeAt(0);
    this.#buffer[this.#at++] = quote;
  }

  end(): void {
    this.#buffer[this.#at++] = close;
    this.count += 1;
  }

  /** The rows so far, separated by commas, between two texts (`behind` in ASCII). What follows starts anew, in the same memory. */
  take(before: string, behind: string): Buffer {
    const bytes = Buffer.byteLength(before) + this.#at + behind.length;
    const whole = Buffer.allocUnsafe(bytes);
    const at = whole.write(before);
    this.#buffer.copy(whole, at, 0, this.#at);
    whole.write(behind, at + this.#at, 'latin1');
    this.#at = 0;
    this.count = 0;
    return whole;
  }

  #separate(): void {
    if (this.#first) this.#first = false;
    else this.#buffer[this.#at++] = comma;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
