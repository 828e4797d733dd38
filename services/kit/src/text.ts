// Controls (C0, DEL, C1), lone surrogates, line and paragraph separators, and the marks that reverse text.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text is one line of printable characters: fit to be stored, logged and shown as it is. */
export const isPrintable = (text: string): boolean => !unprintable.test(text);
