import { type MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';

/** The fields of an error in a reply or in `writeErrors`. */
export const errorFields = (error: MongoError): Document => ({
  code: error.code,
  ...(error.code !== 11000 && { codeName: error.codeName }),
  errmsg: error.message,
  ...error.extra,
});

/** One element of `writeErrors`. */
export const writeError = (index: number, error: MongoError): Document => ({
  index,
  code: error.code,
  errmsg: error.message,
  ...error.extra,
});
