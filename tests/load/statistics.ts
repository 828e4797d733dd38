/** Returns the median: the middle value, or the mean of the middle two. NaN if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

const STEP_MS = 0.01;
const STEPS = 200_000;

/** A histogram of latencies with a resolution of 10 µs. Latencies above 2 s count as 2 s. */
export class Latencies {
  readonly #counts = new Uint32Array(STEPS + 1);
  #total = 0;

  add(ms: number): void {
    const step = Math.ceil(ms / STEP_MS);
    this.#counts[step < STEPS ? step : STEPS]! += 1;
    this.#total += 1;
  }

  /**
   * Returns the latency in milliseconds that the given share (0 to 1) of all latencies does not exceed. NaN if there
   * are no latencies.
   */
  percentile(share: number): number {
    if (this.#total === 0) return NaN;
    let left = Math.ceil(this.#total * share);
    let step = 0;
    for (; step < STEPS; step += 1) {
      left -= this.#counts[step]!;
      if (left <= 0) break;
    }
    return step * STEP_MS;
  }
}
