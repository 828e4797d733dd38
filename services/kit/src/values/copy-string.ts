/** Returns a copy of a Latin-1 string, so that a slice does not retain the longer string. */
export const copyString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
