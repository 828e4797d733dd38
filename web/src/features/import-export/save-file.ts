/** Saves content as a file of the user. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The browser has begun to read the content once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
