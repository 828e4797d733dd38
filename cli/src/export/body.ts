/**
 * Returns the chunks of the body of a response. Acquires a reader immediately, because Node.js cancels a body without a
 * reader when it garbage-collects the response. An exported file would then be empty.
 */
export const bodyOf = ({ body }: Response): AsyncIterable<Uint8Array> => body![Symbol.asyncIterator]();
