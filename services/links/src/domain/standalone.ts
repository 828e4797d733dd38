/** A copy of a text (one byte per character) that shares no memory with a longer one it may be a part of. */
export const standalone = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
