/**
 * Decodes a file in UTF-8, or in UTF-16 with a byte order mark. Returns undefined for other encodings, rather than a
 * text with replacement characters.
 */
export function textOfFile(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes);
  // An ASCII character in UTF-16 without a byte order mark. Its NUL byte is valid UTF-8, so decoding would not fail.
  if (first === 0 || second === 0) return undefined;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
