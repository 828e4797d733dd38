/**
 * Returns the chunks of the body of a response. Takes hold of the body at once, because Node.js cancels a body that is
 * not being read when it collects the response as garbage. The file would then be empty.
 */
export const bodyOf = ({ body }: Response): AsyncIterable<Uint8Array> => body![Symbol.asyncIterator]();
