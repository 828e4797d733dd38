/**
 * Repeats a check until it stops throwing, and answers its result. After `withinMs` the last error is thrown; an error
 * marked `final` at once.
 */
export async function eventually<T>(check: () => Promise<T> | T, withinMs = 5_000, everyMs = 25): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline || (error as { final?: boolean }).final) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
