/** Returns a copy of a Latin-1 string. Unlike a slice, the copy does not keep the string it was cut from in memory. */
export const copyString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
