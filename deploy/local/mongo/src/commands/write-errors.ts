import { type MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';

/** One element of `writeErrors`. */
export const writeError = (index: number, error: MongoError): Document => ({
  index,
  code: error.code,
  errmsg: error.message,
  ...error.extra,
});
