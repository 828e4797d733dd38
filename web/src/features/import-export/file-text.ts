/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, or undefined if the bytes are encoded
 * otherwise: letters that cannot be decoded would be replaced.
 */
export function textOfFile(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes);
  // An ASCII character encoded as UTF-16. Its NUL is valid UTF-8.
  if (first === 0 || second === 0) return undefined;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
