/** What can separate the cells of a line, by its name on the command line. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;

export type DelimiterName = keyof typeof delimiters;
