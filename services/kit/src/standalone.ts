/** Returns a copy of a text (one byte per character) that shares no memory with a longer text it may be a slice of. */
export const standalone = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
