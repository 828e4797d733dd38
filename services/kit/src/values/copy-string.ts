/**
 * Returns a copy of a Latin-1 string. A slice refers to the string that it was cut from, and so keeps that string in
 * memory. The copy does not refer to it.
 */
export const copyString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
