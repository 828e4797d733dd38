/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark. Throws if the bytes are encoded otherwise:
 * letters that cannot be decoded would be replaced.
 */
export function textOfFile(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
