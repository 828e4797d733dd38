/** Prints a sentence on the terminal of the supervisor. */
export function notify(sentence: string): void {
  process.send?.({ notice: sentence });
}
