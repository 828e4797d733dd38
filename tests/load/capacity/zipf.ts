/**
 * Returns a function that draws ranks (1 to `count`) from a Zipf distribution: the probability of rank k is
 * proportional to 1 / k^exponent. A draw takes constant time and memory for any count, by rejection-inversion (W.
 * Hörmann, G. Derflinger, "Rejection-inversion to generate variates from monotone discrete distributions", 1996).
 * `random` returns numbers from 0 to 1.
 */
export function zipf(count: number, exponent: number, random: () => number): () => number {
  const integral = (x: number): number => quotient((1 - exponent) * Math.log(x)) * Math.log(x);
  const inverse = (y: number): number => Math.exp(logarithmQuotient(y * (1 - exponent)) * y);
  const density = (x: number): number => Math.exp(-exponent * Math.log(x));
  const [first, last] = [integral(1.5) - 1, integral(count + 0.5)];
  const accepted = 2 - inverse(integral(2.5) - density(2));
  return () => {
    for (;;) {
      const y = last + random() * (first - last);
      const x = inverse(y);
      const rank = Math.min(count, Math.max(1, Math.round(x)));
      if (rank - x <= accepted || y >= integral(rank + 0.5) - density(rank)) return rank;
    }
  };
}

/** Returns (e^x - 1) / x, or 1 if x is 0. */
const quotient = (x: number): number => (Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2);

/** Returns log(1 + x) / x, or 1 if x is 0. */
const logarithmQuotient = (x: number): number => (Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2);

/** Returns a generator (Mulberry32) of numbers from 0 to 1, reproducible by seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
