/** Shows a sentence on the terminal of the stack that this process is a part of. */
export function notify(sentence: string): void {
  process.send?.({ notice: sentence });
}
