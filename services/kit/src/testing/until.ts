type Falsy = false | null | undefined | 0 | '' | void;

/** Resolves with the first truthy answer of `probe`; rejects, naming it, when there is none within `withinMs`. */
export async function until<T>(probe: () => T | Promise<T>, withinMs = 10_000): Promise<Exclude<T, Falsy>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await probe();
    if (answer) return answer as Exclude<T, Falsy>;
    if (Date.now() > end) throw new Error(`Not so within ${withinMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
