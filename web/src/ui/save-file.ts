/** Saves content as a file of the user's, as a download. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has to read it first.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
