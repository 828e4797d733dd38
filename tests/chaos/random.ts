/** The seed of all random choices of the chaos suites. */
export const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);

/** Returns a seeded Lehmer generator. Each call of the generator returns an integer from 0 to `limit` - 1. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = (seed % 0x7ffffffe) + 1;
  return (limit) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % limit;
  };
}

/** Returns the items in random order. */
export function shuffled<T>(items: readonly T[], random: (limit: number) => number): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random(rest.length), 1)[0]!);
}
