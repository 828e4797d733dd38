/** The bytes of a binary field of a lean document, which is the driver's own `Binary`, not a Buffer. */
export const bytesOf = (field: Buffer): Buffer => Buffer.from((field as unknown as { buffer: Uint8Array }).buffer);
