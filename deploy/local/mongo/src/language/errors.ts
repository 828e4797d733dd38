import { EJSON } from 'bson';
import type { Document } from './values.js';

export const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotIndexParallelArrays: 171,
  UnknownReplWriteConcern: 79,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  InvalidIndexSpecificationOption: 197,
  NoSuchTransaction: 251,
  TransactionTooOld: 225,
  TransactionCommitted: 256,
  TransactionTooLarge: 257,
  OperationNotSupportedInTransaction: 263,
  SnapshotUnavailable: 246,
  ClientDisconnect: 279,
  OutOfDiskSpace: 14031,
  DataCorruptionDetected: 366,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  InterruptedAtShutdown: 11600,
  Interrupted: 11601,
  DuplicateKey: 11000,
  InvalidBSON: 22,
  ShutdownInProgress: 91,
} as const;

const NAMES = new Map<number, string>(Object.entries(CODES).map(([name, code]) => [code, name]));

export type CodeName = keyof typeof CODES;

/**
 * An error with the fields of the server's reply. `extra` holds further fields, such as `keyPattern` of a duplicate
 * key.
 */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;

  constructor(
    code: CodeName | number,
    message: string,
    readonly extra?: Document,
  ) {
    super(message);
    this.name = 'MongoError';
    this.code = typeof code === 'number' ? code : CODES[code];
    this.codeName = NAMES.get(this.code) ?? `Location${this.code}`;
  }

  get reply(): Document {
    return { ok: 0, errmsg: this.message, code: this.code, codeName: this.codeName, ...this.extra };
  }
}

/** Throws an error with a named code, or with the number of an unnamed assertion of the server (`Location40323`). */
export function fail(code: CodeName | number, message: string): never {
  throw new MongoError(code, message);
}

/** Throws CommandNotSupported with the name of an unsupported feature. Unsupported features are never ignored. */
export function unsupported(feature: string): never {
  fail('CommandNotSupported', `${feature} is not supported by this engine`);
}

/** Formats a value for an error message, much like a MongoDB server. Truncates it to 300 characters. */
export function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (EJSON.stringify(value, { relaxed: true }) ?? 'missing');
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
